import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { nonce } from './app/nonce.ts';
import { setNonce } from 'get-nonce';
import { allowStyleTexts } from './app/trusted-types.ts';
import './app/styles.ts';

allowStyleTexts();
const given = nonce();
if (given) setNonce(given);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
