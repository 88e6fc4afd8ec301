// Runs programs to their end, and waits for what they bring about.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the output; errors are shown. Throws when it fails. */
export const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });

/** Shows all output on stderr. */
export const logged = (command, args, options = {}) => run(command, args, { ...options, stdio: ['ignore', 2, 2] });

/** Asks every 200 ms until the answer is truthy, and gives it; an error counts as no. */
export async function until(what, check, seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) {
    try {
      const answer = await check();
      if (answer) return answer;
    } catch {
      // Not yet.
    }
  }
  throw new Error(`${what}: not within ${seconds} s`);
}
