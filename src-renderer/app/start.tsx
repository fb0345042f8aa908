import '@mantine/core/styles.css';
import './page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBridgeTransport } from '../api/bridge-transport.ts';
import { createHostClient } from '../api/host-client.ts';
import { createHttpTransport } from '../api/http-transport.ts';
import { startLanguage } from '../texts/language.ts';
import { App } from './app.tsx';
import { takeStyleNonce } from './style-nonce.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const styleNonce = takeStyleNonce();
const client = createHostClient(window.countersign ? createBridgeTransport(window.countersign) : createHttpTransport());
await startLanguage();
createRoot(root).render(
  <StrictMode>
    <App client={client} styleNonce={styleNonce} />
  </StrictMode>,
);
