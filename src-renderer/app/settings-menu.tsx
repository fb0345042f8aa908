import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES } from '../texts/language.ts';

/** Each language by its own name, so that one who landed in the wrong one finds the way back. */
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

const COLOURS = [
  { scheme: 'auto', word: 'coloursAuto' },
  { scheme: 'light', word: 'coloursLight' },
  { scheme: 'dark', word: 'coloursDark' },
] as const;

/** Language and colours of this machine. */
export function SettingsMenu(): JSX.Element {
  const { t, i18n } = useTranslation('frame');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const mark = (isChosen: boolean): string => (isChosen ? '✓' : '\u2003');
  return (
    <Menu position="right-end" withinPortal>
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" color="gray">
          {t('settings')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('language')}</Menu.Label>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            role="menuitemradio"
            aria-checked={i18n.resolvedLanguage === language}
            leftSection={<span aria-hidden>{mark(i18n.resolvedLanguage === language)}</span>}
            onClick={() => void chooseLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
        <Menu.Label>{t('colours')}</Menu.Label>
        {COLOURS.map(({ scheme, word }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            leftSection={<span aria-hidden>{mark(colorScheme === scheme)}</span>}
            onClick={() => setColorScheme(scheme)}
          >
            {t(word)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
