import { defineTexts } from './define-texts.ts';

export const statusTexts = defineTexts({
  en: {
    status: 'Status',
    workers: 'Workers {{ready}} of {{all}}',
    workersRestarting: '{{ready}} of {{all}} workers ready, {{restarting}} restarting',
    workerReplaced: 'A worker ended and was replaced',
    queued: '{{count}} queued',
    running: '{{count}} running',
    waiting: '{{count}} waiting',
    longest: 'longest {{age}}',
    connected: 'Connected',
    connecting: 'Connecting',
    disconnected: 'Disconnected',
    lost: 'No connection to the host. What you see may be out of date.',
    tryAgain: 'Try again',
    signedOut: 'This page is not signed in.',
    signedOutText:
      'Its address was used before, or the host was started anew. Open the address that the host prints; on its terminal, the Enter key makes a new one.',
    paused: 'Everything is paused by {{by}}, {{since}}: no run is taken and no write starts. Deciding goes on.',
    resume: 'Resume',
    pauseUncertain: 'Whether it is still paused shows here.',
    restored_one:
      'The database was put back from a copy: one run is held until an administrator releases it (command line: release).',
    restored_other:
      'The database was put back from a copy: {{count}} runs are held until an administrator releases them (command line: release).',
    diskLow: 'The disk is nearly full: no run is taken until there is room. Deciding goes on.',
    unknownAccount: 'nobody',
    keyUnprotected: 'Data key without a passphrase',
  },
  de: {
    status: 'Status',
    workers: 'Worker {{ready}} von {{all}}',
    workersRestarting: '{{ready}} von {{all}} Workern bereit, {{restarting}} startet neu',
    workerReplaced: 'Ein Worker endete und wurde ersetzt',
    queued: '{{count}} eingereiht',
    running: '{{count}} in Arbeit',
    waiting: '{{count}} warten',
    longest: 'am längsten {{age}}',
    connected: 'Verbunden',
    connecting: 'Verbindet',
    disconnected: 'Getrennt',
    lost: 'Keine Verbindung zum Host. Die Anzeige kann veraltet sein.',
    tryAgain: 'Erneut versuchen',
    signedOut: 'Diese Seite ist nicht angemeldet.',
    signedOutText:
      'Ihre Adresse wurde schon benutzt, oder der Host wurde neu gestartet. Öffnen Sie die Adresse, die der Host ausgibt; an seinem Terminal erzeugt die Eingabetaste eine neue.',
    paused:
      'Alles ist angehalten, von {{by}}, {{since}}: Kein Lauf wird begonnen, nichts geschrieben. Entscheiden geht weiter.',
    resume: 'Fortsetzen',
    pauseUncertain: 'Ob es noch angehalten ist, steht hier.',
    restored_one:
      'Die Datenbank stammt aus einer Kopie: Ein Lauf ist angehalten, bis er freigegeben wird (Kommandozeile: release).',
    restored_other:
      'Die Datenbank stammt aus einer Kopie: {{count}} Läufe sind angehalten, bis sie freigegeben werden (Kommandozeile: release).',
    diskLow: 'Der Datenträger ist fast voll: Kein Lauf wird begonnen, bis Platz ist. Entscheiden geht weiter.',
    unknownAccount: 'niemand',
    keyUnprotected: 'Datenschlüssel ohne Passphrase',
  },
});
