import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { JSX } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ClientContext } from '../api/client-context.ts';
import type { HostClient } from '../api/host-client.ts';
import { Frame } from './frame.tsx';
import { theme } from './theme.ts';

const colourScheme = localStorageColorSchemeManager({ key: 'countersign.colours' });

/** Everything around the screens: host, theme, address. */
export function App({ client, styleNonce }: { client: HostClient; styleNonce: string }): JSX.Element {
  return (
    <ClientContext value={client}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colourScheme}
        getStyleNonce={() => styleNonce}
      >
        {/* oxlint-disable-next-line react/hooks -- the router takes the hook that reads the address and calls it itself */}
        <Router hook={useHashLocation}>
          <Frame />
        </Router>
      </MantineProvider>
    </ClientContext>
  );
}
