// One command at a time on a folder.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startedAt } from './proc.mjs';
import { ServersError } from './servers-error.mjs';
import { within } from './wait.mjs';

const WAIT_MS = 120_000;

/**
 * Runs `work` while no other process does so in the same folder.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 */
export async function alone(folder, work) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  if (!(await within(WAIT_MS, () => take(file))))
    throw new ServersError(`another command works on ${folder}: ${readFileSync(file, 'utf8')}`);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, `${process.pid} ${startedAt(process.pid)}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const [pid, started] = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split(' ');
  // The lock of a killed process.
  if (started && startedAt(pid) !== started) rmSync(file, { force: true });
  return false;
}
