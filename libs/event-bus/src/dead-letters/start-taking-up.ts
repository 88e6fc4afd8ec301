import type { DeadLetter } from '../dead-letter.ts';
import { isHeld } from './hold.ts';
import { measureDeadLetters } from './measure.ts';
import type { DeadLetterQueues } from './queues.ts';
import { takeUpLine } from './take-up.ts';

const LOOK_MS = 5_000;
/** Lines checked before the next pause, and concurrently. */
const LINES = 512;
const AT_ONCE = 16;
const MAX_TRIED = 10_000;

/**
 * Handles waiting dead letters that this release knows, at the start and every few seconds, in every replica. A dead letter that this process
 * could not handle is not tried again: a release does not learn new types. Resolves after `closing`, once no dead letter is in work.
 */
export async function takeUpDeadLetters(queues: DeadLetterQueues): Promise<void> {
  const { clock, closing } = queues.options;
  closing.addEventListener('abort', measureDeadLetters(queues), { once: true });
  const running = new Map<string, Promise<void>>();
  while (!closing.aborted) {
    // A publisher may be added after the bus has started to listen.
    for (const group of queues.groups()) if (!running.has(group)) running.set(group, takeUpGroup(queues, group));
    await clock.sleep(LOOK_MS, closing);
  }
  await Promise.all(running.values());
}

async function takeUpGroup(queues: DeadLetterQueues, group: string): Promise<void> {
  const { clock, closing, logger } = queues.options;
  const tried = new Set<string>();
  let after = '';

  async function takeUp({ line }: DeadLetter): Promise<number> {
    const { done, failed, stopped } = await takeUpLine(queues, group, String(line));
    if (stopped?.since === 'unknown') tried.add(stopped.by._id);
    if (done > 0) logger.warn({ group, line, done, failed }, 'what waited for this release was taken up');
    return done;
  }

  /** The first dead letters of the next lines that this process may know. */
  async function nextLines(): Promise<DeadLetter[]> {
    const heads: DeadLetter[] = [];
    for (let looked = 0; looked < LINES && heads.length < AT_ONCE; looked += 1) {
      const [head] = await Array.fromAsync(queues.of(group).find({ line: { $gt: after } }, { sort: { line: 1, order: 1 }, limit: 1 }));
      after = head?.line ?? '';
      if (!head) break;
      if (queues.knows(head) && !tried.has(head._id) && !isHeld(head, clock)) heads.push(head);
    }
    return heads;
  }

  while (!closing.aborted) {
    const done = await nextLines()
      .then((heads) => Promise.all(heads.map(takeUp)))
      .catch((error: unknown) => {
        logger.warn({ group, err: error }, 'what waits in the dead letters cannot be taken up at the moment');
        return [];
      });
    if (tried.size > MAX_TRIED) tried.clear();
    if (after === '' || done.every((count) => count === 0)) await clock.sleep(LOOK_MS, closing);
  }
}
