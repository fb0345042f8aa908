import { answerTexts } from './answer-texts.ts';
import { cardTexts } from './card-texts.ts';
import { changeTexts } from './change-texts.ts';
import { firstRunTexts } from './first-run-texts.ts';
import { frameTexts } from './frame-texts.ts';
import { inboxTexts } from './inbox-texts.ts';
import { modelsTexts } from './models-texts.ts';
import { refusalTexts } from './refusal-texts.ts';
import { runTexts } from './run-texts.ts';
import { runWordsTexts } from './run-words-texts.ts';
import { startRunTexts } from './start-run-texts.ts';
import { stateTexts } from './state-texts.ts';
import { statusTexts } from './status-texts.ts';

/** Every subject's sentences; a subject is a namespace of the translation library. */
export const ALL_TEXTS = {
  answer: answerTexts,
  card: cardTexts,
  change: changeTexts,
  firstRun: firstRunTexts,
  frame: frameTexts,
  inbox: inboxTexts,
  models: modelsTexts,
  refusal: refusalTexts,
  run: runTexts,
  runWords: runWordsTexts,
  startRun: startRunTexts,
  state: stateTexts,
  status: statusTexts,
} as const;

type English = { [Subject in keyof typeof ALL_TEXTS]: (typeof ALL_TEXTS)[Subject]['en'] };

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'frame';
    returnNull: false;
    resources: English;
  }
}
