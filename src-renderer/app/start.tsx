import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WaitingRuns } from '../features/inbox/waiting-runs.tsx';
import './page.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <WaitingRuns />
  </StrictMode>,
);
