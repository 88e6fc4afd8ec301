import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Verified } from './verify-folder.ts';

/** Less than the process that serves. */
const NICENESS = 10;

/**
 * Verifies a folder by `svc admin verify` in a process of its own, so that neither its work nor its memory is that of the process that serves. Throws with its
 * message where it cannot verify, and where the signal aborts.
 * @param keysOf the folder whose secrets.json decrypts: the backup may have none
 */
export async function verifyInChild(folder: string, { keysOf, signal }: { keysOf: string; signal: AbortSignal }): Promise<Verified> {
  const program = join(import.meta.dirname, 'svc.mjs');
  const args = [program, 'admin', 'verify', '--folder', folder, '--keys-of', keysOf];
  const child = spawn(process.execPath, args, { signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject));
  if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (said === '') throw new Error(`${folder} could not be verified: ${failed.trim()}`);
  return JSON.parse(said) as Verified;
}
