import { defineTexts } from './define-texts.ts';

/** Before there is anything to work with. */
export const firstRunTexts = defineTexts({
  en: {
    welcome: 'Welcome to Countersign',
    what: 'Agents work on your databases and files here, and you keep the last word. An agent reads what you grant it on its own. Before anything is written the run stops and shows you exactly what would change; only your approval lets it happen.',
    onlyAdministrators:
      'You are not an administrator of this console, so you cannot set it up. Ask the person whose account first opened it.',
    sampleTitle: 'See it work first',
    sampleText: 'A small site is made for you, and a run proposes a change to one of its pages.',
    sampleOffline: 'Works offline: the agent is a script that comes with the console, not a real model.',
    sampleFiles: 'A database and a few files are put into a folder of their own, beside the data of this console.',
    sampleAsks: 'The run then waits for you. The page stays as it is until you approve.',
    trySample: 'Try it with the sample site',
    building: 'Making the site and starting the run…',
    uncertain: 'It is not certain how far this came. You can press the button again: what is there already is kept.',
    modelTitle: 'Work with your own model',
    modelText: 'Give the address of a server that speaks the OpenAI protocol, on this machine or elsewhere.',
    modelPath: 'Ollama, llama.cpp, LM Studio, vLLM, OpenAI and others.',
    modelReach: 'You choose the databases and folders its agents may use; they reach nothing else.',
    modelKey: 'A key is stored encrypted and goes to no address but the one it was entered for.',
    connectModel: 'Connect a model',
  },
  de: {
    welcome: 'Willkommen bei Countersign',
    what: 'Hier arbeiten Agenten an Ihren Datenbanken und Dateien, und Sie behalten das letzte Wort. Ein Agent liest selbstständig, was Sie ihm freigeben. Bevor etwas geschrieben wird, hält der Lauf an und zeigt Ihnen genau, was sich ändern würde; erst Ihre Genehmigung lässt es geschehen.',
    onlyAdministrators:
      'Sie haben in dieser Konsole keine Administrationsrechte und können sie daher nicht einrichten. Wenden Sie sich an die Person, deren Konto sie zuerst geöffnet hat.',
    sampleTitle: 'Erst einmal zusehen',
    sampleText: 'Für Sie wird eine kleine Website angelegt, und ein Lauf schlägt eine Änderung an einer Seite vor.',
    sampleOffline: 'Geht ohne Netz: Der Agent ist ein mitgeliefertes Skript, kein echtes Modell.',
    sampleFiles: 'Eine Datenbank und einige Dateien kommen in einen eigenen Ordner neben den Daten dieser Konsole.',
    sampleAsks: 'Der Lauf wartet dann auf Sie. Die Seite bleibt, wie sie ist, bis Sie genehmigen.',
    trySample: 'Mit der Beispiel-Website ausprobieren',
    building: 'Die Website wird angelegt und der Lauf gestartet …',
    uncertain:
      'Es ist nicht sicher, wie weit das gekommen ist. Sie können noch einmal drücken: Was schon da ist, bleibt erhalten.',
    modelTitle: 'Mit dem eigenen Modell arbeiten',
    modelText:
      'Geben Sie die Adresse eines Servers an, der das OpenAI-Protokoll spricht, auf diesem Rechner oder anderswo.',
    modelPath: 'Ollama, llama.cpp, LM Studio, vLLM, OpenAI und andere.',
    modelReach: 'Sie wählen die Datenbanken und Ordner, die seine Agenten benutzen dürfen; sonst erreichen sie nichts.',
    modelKey: 'Ein Schlüssel wird verschlüsselt gespeichert und geht nur an die Adresse, für die er eingegeben wurde.',
    connectModel: 'Modell verbinden',
  },
});
