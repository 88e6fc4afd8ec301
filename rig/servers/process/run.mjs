import { spawnSync } from 'node:child_process';
import { ServersError } from './servers-error.mjs';

const MOST_OUTPUT = 64 << 20;

/** Runs a tool to its end; its output is shown only when it failed. */
export function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  if (status !== 0) throw new ServersError([`${command} failed`, error?.message, stdout, stderr].filter(Boolean).join('\n'));
}
