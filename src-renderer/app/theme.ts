import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: ink, like the second signature the product is named after. */
const ink: MantineColorsTuple = [
  '#edf2fd',
  '#d8e2f7',
  '#aec3ee',
  '#81a2e5',
  '#5b85de',
  '#4373d9',
  '#3468d6',
  '#2558be',
  '#1c4eab',
  '#0b4296',
];

/** Desktop density: 13 px text on a grid of 4. Contrast is AA in both schemes. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { ink },
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.8125rem', lg: '0.9375rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.5rem' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
});
