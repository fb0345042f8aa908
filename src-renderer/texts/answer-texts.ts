import { defineTexts } from './define-texts.ts';

/** The words of a form that a run asks with, and one sentence for each thing that can be wrong with an answer. */
export const answerTexts = defineTexts({
  en: {
    send: 'Answer',
    keys: 'Ctrl+Enter sends the answer.',
    optional: 'may be left out',
    none: 'No answer',
    yes: 'Yes',
    no: 'No',
    whole_number: 'A whole number, for example 12',
    number: 'A number, with a point for decimals, for example 12.5',
    json: 'A value in JSON',
    problem: {
      missing: 'This is needed.',
      not_asked: 'This was not asked.',
      wrong_type: 'This is not of the kind that is asked for.',
      not_an_option: 'Pick one of the options.',
      too_long: 'At most {{limit}} characters.',
      too_short: 'At least {{limit}} characters.',
      out_of_range: 'Out of range; the limit is {{limit}}.',
      not_storable: 'This holds something that cannot be stored, for example half of a character.',
      not_valid: 'This does not fit the question.',
    },
  },
  de: {
    send: 'Antworten',
    keys: 'Strg+Eingabe sendet die Antwort.',
    optional: 'kann leer bleiben',
    none: 'Keine Angabe',
    yes: 'Ja',
    no: 'Nein',
    whole_number: 'Eine ganze Zahl, zum Beispiel 12',
    number: 'Eine Zahl, mit Punkt vor den Nachkommastellen, zum Beispiel 12.5',
    json: 'Ein Wert in JSON',
    problem: {
      missing: 'Das wird gebraucht.',
      not_asked: 'Danach wurde nicht gefragt.',
      wrong_type: 'Das ist nicht von der gefragten Art.',
      not_an_option: 'Wählen Sie eine der Möglichkeiten.',
      too_long: 'Höchstens {{limit}} Zeichen.',
      too_short: 'Mindestens {{limit}} Zeichen.',
      out_of_range: 'Außerhalb des Bereichs; die Grenze ist {{limit}}.',
      not_storable: 'Das enthält etwas, was sich nicht speichern lässt, zum Beispiel ein halbes Zeichen.',
      not_valid: 'Das passt nicht zur Frage.',
    },
  },
});
