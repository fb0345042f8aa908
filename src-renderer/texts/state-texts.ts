import { defineTexts } from './define-texts.ts';

/** What a screen says while it loads, when a load failed, and when what it shows may be old. */
export const stateTexts = defineTexts({
  en: {
    loading: 'Loading…',
    failed: 'This could not be loaded.',
    retry: 'Retry',
    outdated: 'This could not be refreshed; it may be out of date.',
    reference: 'Reference for the log: {{reference}}',
    notDone: 'That did not work.',
    close: 'Close this message',
    draftNotKept: 'What you typed is too long to be kept when you leave this screen.',
    fault: {
      disconnected: 'The host does not answer. It may be starting, or it was stopped.',
      signed_out: 'This page is not signed in to the host any more. Open a new address of the host.',
      unknown_channel:
        'The host does not know this request. Page and host are of different versions: load the page again.',
      bad_input: 'The host did not take this request as it was sent. Nothing was changed.',
      not_allowed: 'The host does not take requests from here. Nothing was changed.',
      internal: 'Something broke in the host. Its log says what.',
    },
  },
  de: {
    loading: 'Wird geladen …',
    failed: 'Das konnte nicht geladen werden.',
    retry: 'Erneut versuchen',
    outdated: 'Das konnte nicht aktualisiert werden; es kann veraltet sein.',
    reference: 'Kennung im Protokoll: {{reference}}',
    notDone: 'Das hat nicht geklappt.',
    close: 'Meldung schließen',
    draftNotKept: 'Ihr Text ist zu lang, um aufbewahrt zu werden, wenn Sie diese Ansicht verlassen.',
    fault: {
      disconnected: 'Der Host antwortet nicht. Er startet vielleicht gerade, oder er wurde beendet.',
      signed_out: 'Diese Seite ist beim Host nicht mehr angemeldet. Öffnen Sie eine neue Adresse des Hosts.',
      unknown_channel:
        'Der Host kennt diese Anfrage nicht. Seite und Host haben verschiedene Versionen: Laden Sie die Seite neu.',
      bad_input: 'Der Host hat diese Anfrage so nicht angenommen. Nichts wurde geändert.',
      not_allowed: 'Der Host nimmt von hier keine Anfragen an. Nichts wurde geändert.',
      internal: 'Im Host ist etwas schiefgegangen. Sein Protokoll sagt, was.',
    },
  },
});
