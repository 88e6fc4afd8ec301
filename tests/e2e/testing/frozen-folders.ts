import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { freePorts, startProgram } from '@svc/testkit';

export type Resource = { id: string } & Record<string, unknown>;
type Kind = 'invoices' | 'receipts' | 'customers' | 'webhooks' | 'products';
/** What the API showed when the folder was made. A kind that was not served then is absent. */
export type Expected = Partial<Record<Kind, Resource[]>> & { events: number };

const fixtures = new URL('../../../services/standalone/fixtures/', import.meta.url).pathname;

/** A folder of every released format, and more of the same format for later event types; `node tools/freeze-folder.mjs` makes the newest. */
export const folders = readdirSync(fixtures).filter((name) => /^data-folder-v\d+(\.\d+)?$/.test(name));

/** A copy that a system can be started on. */
export function frozenFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-frozen-'));
  cpSync(join(fixtures, name), folder, { recursive: true });
  const data = join(folder, 'data');
  for (const packed of readdirSync(data).filter((file) => file.endsWith('.gz'))) {
    writeFileSync(join(data, packed.slice(0, -3)), gunzipSync(readFileSync(join(data, packed))), { mode: 0o600 });
    rmSync(join(data, packed));
  }
  return folder;
}

export const expectedOf = (folder: string): Expected => JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;

/** Starts on a folder that are killed at later and later moments; where it is rewritten, the first ones meanwhile. */
export async function killedStarts(folder: string, times: number): Promise<void> {
  const { PORT, OPS_PORT, SIMULATOR_PORT } = await freePorts();
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', AUTHORITY_PACE: 'fast', PORT, OPS_PORT, SIMULATOR_PORT };
  for (let n = 0; n < times; n += 1) {
    const program = startProgram('services/standalone/dist/start.mjs', { env });
    const begun = Date.now();
    while (!program.output().includes('is rewritten') && Date.now() - begun < 300 + 60 * n) await setTimeout(1);
    await setTimeout(2 * n);
    await program.kill('SIGKILL');
  }
}
