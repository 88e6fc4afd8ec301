// npm run simulator: the tax authorities' simulator alone, all authorities on ports of their own, with its ledger in .data/.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const folder = join(root, '.data');
const defaults = {
  AL_CIS_PORT: '3003',
  ME_EFI_PORT: '3004',
  ES_VERIFACTU_PORT: '3005',
  LEDGER_FILE: join(folder, 'simulator.sqlite'),
};
for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;
mkdirSync(folder, { recursive: true, mode: 0o700 });
await import('../services/authority-simulator/dist/start.mjs');
