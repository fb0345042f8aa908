import { defineTexts } from './define-texts.ts';

/** The words for what a run is and does, the same on every screen. */
export const runWordsTexts = defineTexts({
  en: {
    unlabelled: 'Run without a label',
    nobody: 'nobody',
    status: {
      queued: 'Queued',
      running: 'Working',
      waiting_for_approval: 'Waiting for approval',
      waiting_for_input: 'Waiting for an answer',
      completed: 'Completed',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    attribution: {
      self: 'Approved by who started it',
      unresolved: 'Approved, unknown by whom',
      initiatorUnknown: 'Approved; unknown who started it',
      secondPerson: 'Approved by a second person',
    },
    expiresIn: 'expires in {{wait}}',
    effect: {
      read_only: 'only reads',
      idempotent_write: 'writes',
      non_idempotent_write: 'writes, and writes again if repeated',
    },
  },
  de: {
    unlabelled: 'Lauf ohne Bezeichnung',
    nobody: 'niemand',
    status: {
      queued: 'Eingereiht',
      running: 'In Arbeit',
      waiting_for_approval: 'Wartet auf Genehmigung',
      waiting_for_input: 'Wartet auf eine Antwort',
      completed: 'Abgeschlossen',
      failed: 'Gescheitert',
      cancelled: 'Abgebrochen',
    },
    attribution: {
      self: 'Vom Starter selbst genehmigt',
      unresolved: 'Genehmigt, unbekannt von wem',
      initiatorUnknown: 'Genehmigt; unbekannt, wer startete',
      secondPerson: 'Von einer zweiten Person genehmigt',
    },
    expiresIn: 'läuft ab in {{wait}}',
    effect: {
      read_only: 'liest nur',
      idempotent_write: 'schreibt',
      non_idempotent_write: 'schreibt, und bei Wiederholung noch einmal',
    },
  },
});
