// A process that outlives the command that started it.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startedAt } from './proc.mjs';
import { within } from './wait.mjs';

const KILL_AFTER_MS = 20_000;

/**
 * The process of a folder. Its file `pid` holds the pid and the start time, so that a reused pid is never signalled. Output goes to the
 * file `output.log`.
 *
 * @param {string} folder
 */
export function daemonIn(folder) {
  const pidFile = join(folder, 'pid');
  const output = join(folder, 'output.log');

  /** @returns {number | undefined} */
  function pid() {
    try {
      const [known, started] = readFileSync(pidFile, 'utf8').trim().split(' ');
      return startedAt(known) === started ? Number(known) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Starts it in a session of its own, so that a terminal's signals do not reach it. */
  async function launch(command, args) {
    mkdirSync(folder, { recursive: true });
    const log = openSync(output, 'a');
    const child = spawn(command, args, { cwd: folder, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    // A process that ended at once has no start time; the file then names no process.
    writeFileSync(pidFile, `${child.pid} ${startedAt(child.pid)}\n`);
    child.unref();
  }

  /** @param {NodeJS.Signals} name @returns {boolean} false when it does not run */
  function signal(name) {
    const running = pid();
    if (running === undefined) return false;
    try {
      process.kill(running, name);
      return true;
    } catch (error) {
      if (error.code === 'ESRCH') return false;
      throw error;
    }
  }

  const ended = (ms) => within(ms, () => pid() === undefined);

  /** SIGTERM, and SIGKILL after 20 s. Resumes a paused process first. */
  async function stop() {
    signal('SIGCONT');
    signal('SIGTERM');
    if (!(await ended(KILL_AFTER_MS))) await kill9();
    rmSync(pidFile, { force: true });
  }

  /** SIGKILL; resolves when the process has ended. */
  async function kill9() {
    signal('SIGKILL');
    await ended(KILL_AFTER_MS);
  }

  return { output, pid, launch, signal, stop, kill9 };
}
