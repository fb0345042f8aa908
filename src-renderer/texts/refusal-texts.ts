import { defineTexts } from './define-texts.ts';

/** One sentence for each refusal, with what to do next; and one for each thing that can be wrong with a field. */
export const refusalTexts = defineTexts({
  en: {
    not_awaiting_approval:
      'This run does not wait for a decision any more, or it is not yours to decide. The inbox shows what waits.',
    not_awaiting_input: 'This run does not wait for an answer any more, or it is not yours to answer.',
    already_decided: 'This turn was decided already. Nothing more was changed; the run goes on.',
    unknown_run: 'There is no such run, or it is not yours to use.',
    already_ended: 'This run has ended already. Nothing was changed.',
    already_started: 'This run was started already.',
    configuration_gone: 'The configuration of this run does not exist any more. Connect it again, or cancel the run.',
    configuration_inactive:
      'The configuration {{configuration}} is switched off. Switch it on first; the run still waits.',
    second_approver_required:
      'The configuration {{configuration}} wants a second person: who started a run may not approve it. You can still deny.',
    state_unreadable: 'What the run asked for cannot be read, so nobody can decide it. You can cancel the run.',
    stale_turn: 'The run asks for something else by now. Nothing was decided; the card shows what it asks for now.',
    stale_preview: 'The change looks different by now. Nothing was decided; the card shows it as it is now.',
    stale_tool:
      'The tool {{toolName}} is not the one this card was made for. Nothing was decided; renew the card to see what would happen now.',
    blind_not_confirmed: 'The change cannot be shown, and it was not confirmed that you decide without having seen it.',
    no_such_call: 'The turn has no such call.',
    invalid_arguments: 'The arguments do not fit {{toolName}}. Nothing was changed.',
    approver_not_permitted: 'You may not use {{toolName}} yourself, so you may not release it. The run still waits.',
    submitter_not_permitted:
      'You may not use {{toolName}} yourself, so you may not answer for it. The run still waits.',
    invalid_input: 'Some answers do not fit the questions. None was used; the run still waits.',
    withdraw_window_over: 'It is too late to take this approval back: the write may have started.',
    not_delayed: 'The run does not wait for its next try: it is due already, or it has moved on.',
    not_waiting: 'The run does not wait for a person any more. Nothing was changed.',
    no_uncertain_write: 'This write is settled already.',
    restored:
      'The database was put back from a copy, and this run may have gone on elsewhere since. An administrator has to release it first.',
    not_restored: 'The run is not held for having been restored.',
    no_receipt: 'This decision has no receipt.',
    paused: 'Everything is paused. Resume it first.',
    operator_unavailable: 'Your account is not known here or is switched off.',
    not_administrator: 'Only an administrator may do this.',
    unknown_person: 'There is nobody of that name.',
    last_administrator: 'Somebody who can look after the installation has to stay. Nothing was changed.',
    proof_refused: 'That is not the passphrase of a person who may be here.',
    too_many_attempts: 'Too many wrong passphrases for this name. Wait 15 minutes and try again.',
    invalid_request: 'Some entries cannot be used. Nothing was changed.',
    no_worker: 'No worker is ready to do this. Wait a moment and try again.',
    lease_lost: 'The run moved on meanwhile. Nothing was changed.',
    run_cancelled: 'The run was cancelled meanwhile. Nothing was changed.',
    store_busy: 'Another process kept the database locked. Nothing was changed; try again.',
    field: {
      missing: 'Please fill this in.',
      too_long: 'At most {{limit}} characters.',
      too_short: 'At least {{limit}} characters.',
      out_of_range: 'A whole number from 1 to {{limit}}.',
      bad_name: 'Start with a small letter; small letters, digits, - and _ may follow, 63 characters at most.',
      invisible: 'One line, without invisible characters.',
      name_taken: 'This name is in use already.',
      named_twice: 'This name is given twice.',
      not_http_address: 'An http or https address, for example http://127.0.0.1:11434/v1',
      address_holds_key: 'No name and no password in the address: the key has its own field.',
      no_such_file: 'There is no such file. Give its whole path.',
      no_such_folder: 'There is no such folder. Give its whole path.',
      reserved_path: 'This belongs to the console itself; an agent cannot get it.',
      not_absolute: 'Give the whole path, from the root of the disk.',
      key_bound_to_address: 'The stored key belongs to the stored address. Enter the key for this address.',
      not_valid: 'This is not valid.',
      not_storable: 'This holds something that cannot be stored, for example half of a character.',
    },
  },
  de: {
    not_awaiting_approval:
      'Dieser Lauf wartet nicht mehr auf eine Entscheidung, oder sie steht Ihnen nicht zu. Der Eingang zeigt, was wartet.',
    not_awaiting_input: 'Dieser Lauf wartet nicht mehr auf eine Antwort, oder sie steht Ihnen nicht zu.',
    already_decided: 'Über diesen Schritt wurde schon entschieden. Sonst wurde nichts geändert; der Lauf geht weiter.',
    unknown_run: 'Diesen Lauf gibt es nicht, oder er ist nicht für Sie bestimmt.',
    already_ended: 'Dieser Lauf ist schon beendet. Nichts wurde geändert.',
    already_started: 'Dieser Lauf wurde schon gestartet.',
    configuration_gone:
      'Die Konfiguration dieses Laufs gibt es nicht mehr. Verbinden Sie sie neu, oder brechen Sie den Lauf ab.',
    configuration_inactive:
      'Die Konfiguration {{configuration}} ist ausgeschaltet. Schalten Sie sie zuerst ein; der Lauf wartet weiter.',
    second_approver_required:
      'Die Konfiguration {{configuration}} verlangt eine zweite Person: Wer einen Lauf startet, darf ihn nicht genehmigen. Ablehnen ist möglich.',
    state_unreadable:
      'Was der Lauf wollte, ist nicht lesbar; niemand kann darüber entscheiden. Sie können den Lauf abbrechen.',
    stale_turn: 'Der Lauf will inzwischen etwas anderes. Nichts wurde entschieden; die Karte zeigt, was er jetzt will.',
    stale_preview:
      'Die Änderung sieht inzwischen anders aus. Nichts wurde entschieden; die Karte zeigt sie, wie sie jetzt ist.',
    stale_tool:
      'Das Werkzeug {{toolName}} ist nicht mehr das, für das diese Karte gemacht wurde. Nichts wurde entschieden; erneuern Sie die Karte.',
    blind_not_confirmed:
      'Die Änderung lässt sich nicht zeigen, und es wurde nicht bestätigt, dass Sie ohne sie zu sehen entscheiden.',
    no_such_call: 'Diesen Aufruf gibt es in der Runde nicht.',
    invalid_arguments: 'Die Argumente passen nicht zu {{toolName}}. Nichts wurde geändert.',
    approver_not_permitted:
      'Sie dürfen {{toolName}} selbst nicht benutzen und daher nicht freigeben. Der Lauf wartet weiter.',
    submitter_not_permitted:
      'Sie dürfen {{toolName}} selbst nicht benutzen und daher nicht dafür antworten. Der Lauf wartet weiter.',
    invalid_input: 'Einige Antworten passen nicht zu den Fragen. Keine wurde verwendet; der Lauf wartet weiter.',
    withdraw_window_over: 'Zum Zurücknehmen ist es zu spät: Das Schreiben kann schon begonnen haben.',
    not_delayed: 'Der Lauf wartet nicht auf einen neuen Versuch: Er ist schon an der Reihe oder weitergegangen.',
    not_waiting: 'Der Lauf wartet nicht mehr auf einen Menschen. Nichts wurde geändert.',
    no_uncertain_write: 'Dieser Schreibvorgang ist bereits geklärt.',
    restored:
      'Die Datenbank stammt aus einer Kopie, und dieser Lauf kann seitdem anderswo weitergegangen sein. Erst muss ihn eine Administratorin oder ein Administrator freigeben.',
    not_restored: 'Der Lauf ist nicht wegen einer Wiederherstellung angehalten.',
    no_receipt: 'Zu dieser Entscheidung gibt es keinen Beleg.',
    paused: 'Alles ist angehalten. Heben Sie das zuerst auf.',
    operator_unavailable: 'Ihr Konto ist hier nicht bekannt oder ausgeschaltet.',
    not_administrator: 'Das darf nur eine Administratorin oder ein Administrator.',
    unknown_person: 'Niemand hat diesen Namen.',
    last_administrator: 'Jemand, der für die Installation sorgen kann, muss bleiben. Nichts wurde geändert.',
    proof_refused: 'Das ist nicht die Passphrase einer Person, die hier sein darf.',
    too_many_attempts:
      'Zu viele falsche Passphrasen für diesen Namen. Warten Sie 15 Minuten, und versuchen Sie es erneut.',
    invalid_request: 'Einige Angaben sind nicht brauchbar. Nichts wurde geändert.',
    no_worker: 'Kein Worker ist dafür bereit. Warten Sie einen Moment, und versuchen Sie es erneut.',
    lease_lost: 'Der Lauf ist inzwischen weiter. Nichts wurde geändert.',
    run_cancelled: 'Der Lauf wurde inzwischen abgebrochen. Nichts wurde geändert.',
    store_busy: 'Ein anderer Prozess hielt die Datenbank gesperrt. Nichts wurde geändert; versuchen Sie es erneut.',
    field: {
      missing: 'Bitte ausfüllen.',
      too_long: 'Höchstens {{limit}} Zeichen.',
      too_short: 'Mindestens {{limit}} Zeichen.',
      out_of_range: 'Eine ganze Zahl von 1 bis {{limit}}.',
      bad_name: 'Am Anfang ein Kleinbuchstabe, danach Kleinbuchstaben, Ziffern, - und _; höchstens 63 Zeichen.',
      invisible: 'Eine Zeile ohne unsichtbare Zeichen.',
      name_taken: 'Dieser Name wird schon benutzt.',
      named_twice: 'Dieser Name steht zweimal da.',
      not_http_address: 'Eine http- oder https-Adresse, zum Beispiel http://127.0.0.1:11434/v1',
      address_holds_key: 'Kein Name und kein Passwort in der Adresse: Der Schlüssel hat sein eigenes Feld.',
      no_such_file: 'Diese Datei gibt es nicht. Geben Sie den ganzen Pfad an.',
      no_such_folder: 'Diesen Ordner gibt es nicht. Geben Sie den ganzen Pfad an.',
      reserved_path: 'Das gehört der Konsole selbst; ein Agent bekommt es nicht.',
      not_absolute: 'Geben Sie den ganzen Pfad an, von der Wurzel des Laufwerks.',
      key_bound_to_address:
        'Der gespeicherte Schlüssel gehört zur gespeicherten Adresse. Geben Sie den Schlüssel für diese Adresse ein.',
      not_valid: 'Das ist nicht gültig.',
      not_storable: 'Das enthält etwas, was sich nicht speichern lässt, zum Beispiel ein halbes Zeichen.',
    },
  },
});
