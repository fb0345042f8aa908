/** The few words of the shell itself; everything else a person reads is the page's. */
export interface ShellWords {
  file: string;
  newWindow: string;
  closeWindow: string;
  pauseEverything: string;
  quit: string;
  edit: string;
  undo: string;
  redo: string;
  cut: string;
  copy: string;
  paste: string;
  selectAll: string;
  view: string;
  reload: string;
  zoomIn: string;
  zoomOut: string;
  actualSize: string;
  fullScreen: string;
  developerTools: string;
  window: string;
  minimize: string;
  bringForward: string;
  help: string;
  about: string;
  open: string;
  hide: string;
  hideOthers: string;
  showAll: string;
  version(version: string): string;
  database(path: string): string;
  waiting(count: number): string;
  pauseRefused: string;
  pauseRefusedDetail: string;
  windowEnded: string;
  windowEndedDetail: string;
  tryAgain: string;
  noAnswer: string;
  noAnswerDetail: string;
  wait: string;
  close: string;
  couldNotStart: string;
  hasToEnd: string;
  hasToEndDetail: string;
}

const english: ShellWords = {
  file: 'File',
  newWindow: 'New Window',
  closeWindow: 'Close Window',
  pauseEverything: 'Pause Everything',
  quit: 'Quit Countersign',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select All',
  view: 'View',
  reload: 'Reload',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  actualSize: 'Actual Size',
  fullScreen: 'Full Screen',
  developerTools: 'Developer Tools',
  window: 'Window',
  minimize: 'Minimize',
  bringForward: 'Bring All to Front',
  help: 'Help',
  about: 'About Countersign',
  open: 'Open Countersign',
  hide: 'Hide Countersign',
  hideOthers: 'Hide Others',
  showAll: 'Show All',
  version: (version) => `Version ${version}`,
  database: (path) => `Database: ${path}`,
  waiting: (count) => `Countersign: ${count} waiting`,
  pauseRefused: 'Nothing was changed.',
  pauseRefusedDetail:
    'Everybody may pause; an administrator, or who paused, may go on. Or the database was locked: then try again.',
  windowEnded: 'This window has stopped several times in a row.',
  windowEndedDetail: 'Runs go on without it, and nothing was decided. You can try again, or close the window.',
  tryAgain: 'Try Again',
  noAnswer: 'This window does not answer.',
  noAnswerDetail: 'You can wait, or load it again. Runs go on without it.',
  wait: 'Wait',
  close: 'Close',
  couldNotStart: 'Countersign could not start',
  hasToEnd: 'Countersign met an error it cannot continue from',
  hasToEndDetail:
    'It ends now. Everything decided and recorded is stored; interrupted runs are looked after at the next start.',
};

const german: ShellWords = {
  file: 'Datei',
  newWindow: 'Neues Fenster',
  closeWindow: 'Fenster schließen',
  pauseEverything: 'Alles anhalten',
  quit: 'Countersign beenden',
  edit: 'Bearbeiten',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  cut: 'Ausschneiden',
  copy: 'Kopieren',
  paste: 'Einfügen',
  selectAll: 'Alles auswählen',
  view: 'Ansicht',
  reload: 'Neu laden',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  actualSize: 'Originalgröße',
  fullScreen: 'Vollbild',
  developerTools: 'Entwicklerwerkzeuge',
  window: 'Fenster',
  minimize: 'Minimieren',
  bringForward: 'Alle nach vorne bringen',
  help: 'Hilfe',
  about: 'Über Countersign',
  open: 'Countersign öffnen',
  hide: 'Countersign ausblenden',
  hideOthers: 'Andere ausblenden',
  showAll: 'Alle einblenden',
  version: (version) => `Version ${version}`,
  database: (path) => `Datenbank: ${path}`,
  waiting: (count) => (count === 1 ? 'Countersign: 1 wartet' : `Countersign: ${count} warten`),
  pauseRefused: 'Nichts wurde geändert.',
  pauseRefusedDetail:
    'Anhalten dürfen alle; fortsetzen darf, wer angehalten hat oder die Anwendung verwaltet. Oder die Datenbank war gesperrt: Dann versuchen Sie es erneut.',
  windowEnded: 'Dieses Fenster ist mehrmals hintereinander ausgefallen.',
  windowEndedDetail:
    'Läufe gehen ohne das Fenster weiter, und es wurde nichts entschieden. Sie können es noch einmal versuchen oder das Fenster schließen.',
  tryAgain: 'Noch einmal versuchen',
  noAnswer: 'Dieses Fenster antwortet nicht.',
  noAnswerDetail: 'Sie können warten oder es neu laden. Läufe gehen ohne das Fenster weiter.',
  wait: 'Warten',
  close: 'Schließen',
  couldNotStart: 'Countersign konnte nicht starten',
  hasToEnd: 'In Countersign ist ein Fehler aufgetreten, nach dem es nicht weiterlaufen kann',
  hasToEndDetail:
    'Es wird jetzt beendet. Alles Entschiedene und Aufgezeichnete ist gespeichert; unterbrochene Läufe werden beim nächsten Start behandelt.',
};

/** The words for a locale as the operating system names it (`de`, `de-AT`, `en-GB`); English for all others. */
export const shellWords = (locale: string): ShellWords => (/^de\b/i.test(locale) ? german : english);
