import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { ALL_TEXTS } from './all-texts.ts';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED = 'countersign.language';

/** The language chosen on this machine, else the first of the system's that we speak, else English. */
function firstLanguage(): Language {
  const wanted = [localStorage.getItem(STORED) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find((tag): tag is Language => (LANGUAGES as readonly string[]).includes(tag)) ?? 'en';
}

function textsIn(language: Language): Record<string, object> {
  return Object.fromEntries(Object.entries(ALL_TEXTS).map(([subject, texts]) => [subject, texts[language]]));
}

/** Makes the sentences available to every screen; to be called once, before the first render. */
export async function startLanguage(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next.use(initReactI18next).init({
    lng: firstLanguage(),
    fallbackLng: 'en',
    resources: Object.fromEntries(LANGUAGES.map((language) => [language, textsIn(language)])),
    // React escapes; a second time would show `&amp;` to people.
    interpolation: { escapeValue: false },
  });
}

/** Switches the language now and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await i18next.changeLanguage(language);
}
