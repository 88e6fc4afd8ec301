import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../retrying-client.ts';

/** The processes look this often, and the event loop of each may be busy. */
const SEEN_MS = 500;

/** The clock of the machine that a system runs on. */
export function openClock() {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'ahead');
  const write = (ms: number): void => {
    writeFileSync(`${file}.new`, String(ms));
    renameSync(`${file}.new`, file);
  };
  write(0);
  const preloaded = new URL('../../../servers/testing/preloaded-clock.ts', import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import=${preloaded}`, CLOCK_FILE: file },
    async setAhead(ms: number): Promise<void> {
      write(ms);
      await sleep(SEEN_MS);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
