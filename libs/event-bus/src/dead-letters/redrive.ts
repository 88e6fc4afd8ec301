import { tenantIn, type DeadLetter } from '../dead-letter.ts';
import { filterOf, type Which } from './find.ts';
import { holdDeadLetter, isHeld } from './hold.ts';
import { messageOf } from './store.ts';
import type { DeadLetterQueues } from './queues.ts';
import { takeUpLine } from './take-up.ts';

/** Most dead letters of one call, and how long it starts on further ones. */
const AT_ONCE = 1_000;
const WITHIN_MS = 20_000;
const MOST_DROPPED = 10_000;
const DROPPED_AT_ONCE = 500;
const READ_BYTES = 1024 * 1024;

/** `redriven` were handled and deleted; `failed` failed again and stay; `left` were not tried, behind a failed one or beyond the limits: call again. */
export interface Redriven {
  redriven: number;
  failed: number;
  left: number;
}

/**
 * Passes dead letters to their group's handler again, or publishes them again, in the order of each subject. A dead letter that fails again stays,
 * and so do the later ones of its subject.
 */
export async function redriveDeadLetters(queues: DeadLetterQueues, group: string, which: Which): Promise<Redriven> {
  const deadLetters = queues.of(group);
  const { clock, closing } = queues.options;
  const until = clock.now() + WITHIN_MS;
  const found: { _id: string; event_subject: string | null }[] = [];
  const sort = { event_subject: 1, order: 1 } as const;
  for await (const { _id, event_subject } of deadLetters.find(filterOf(which), { sort, limit: AT_ONCE }))
    found.push({ _id, event_subject });
  const stopped = new Set<string>();
  const counts = { redriven: 0, failed: 0 };
  for (const { _id, event_subject } of found) {
    if (closing.aborted || clock.now() > until) break;
    const deadLetter = stopped.has(event_subject ?? _id) ? undefined : await deadLetters.get(_id);
    if (!deadLetter || isHeld(deadLetter, clock)) continue;
    const { done, failed } = await (deadLetter.line === null ? again(queues, deadLetter) : takeUp(queues, deadLetter));
    counts.redriven += done;
    counts.failed += failed;
    if (failed > 0) stopped.add(event_subject ?? _id);
  }
  const rest = await deadLetters.count(filterOf(which));
  return { ...counts, left: Math.max(0, rest - counts.failed) };
}

/** A dead letter that waits in a line is handled after all before it; those behind it may follow. */
async function takeUp(queues: DeadLetterQueues, { group, line }: DeadLetter): Promise<{ done: number; failed: number }> {
  const { done, failed, stopped } = await takeUpLine(queues, group, String(line));
  return { done, failed: failed + (stopped ? 1 : 0) };
}

async function again(queues: DeadLetterQueues, deadLetter: DeadLetter): Promise<{ done: number; failed: number }> {
  const held = await holdDeadLetter(queues.of(deadLetter.group), deadLetter, queues.options.clock);
  if (!held) return { done: 0, failed: 0 };
  try {
    await queues.again(held);
  } catch (error) {
    await held.release({ error: messageOf(error) });
    return { done: 0, failed: 1 };
  }
  await held.remove();
  return { done: 1, failed: 0 };
}

/** Gets how many dead letters of each tenant (`<env>.<account>`) are about to be dropped, and how many of the call are already. Where it rejects the others stay. */
export type BeforeDropped = (counts: ReadonlyMap<string, number>, dropped: number) => Promise<void>;

/**
 * Deletes the dead letters that are stored at the call, and none that `before` leads to. Those that waited behind one of them continue without it. `left`: so many are
 * beyond the limits: call again.
 */
export async function dropDeadLetters(
  queues: DeadLetterQueues,
  group: string,
  which: Which,
  before: BeforeDropped,
): Promise<{ dropped: number; left: number }> {
  const deadLetters = queues.of(group);
  const { clock, closing } = queues.options;
  const until = clock.now() + WITHIN_MS;
  const { left: stored } = await deadLetters.page(filterOf(which), { limit: MOST_DROPPED }, 0);
  const total = Math.max(stored.length, await deadLetters.count(filterOf(which)));
  let [dropped, done] = [0, 0];
  while (done < stored.length && !closing.aborted && clock.now() <= until) {
    const next = stored.slice(done, done + DROPPED_AT_ONCE);
    const { ids, counts } = await countedByTenant(deadLetters.read(next, filterOf(which), READ_BYTES));
    if (ids.length > 0) await before(counts, dropped);
    await deadLetters.write(ids.map((_id) => ({ delete: _id })));
    dropped += ids.length;
    done += next.length;
  }
  return { dropped, left: total - done };
}

async function countedByTenant(chunks: AsyncIterable<DeadLetter[]>): Promise<{ ids: string[]; counts: Map<string, number> }> {
  const ids: string[] = [];
  const counts = new Map<string, number>();
  for await (const chunk of chunks)
    for (const deadLetter of chunk) {
      ids.push(deadLetter._id);
      const tenant = tenantIn(deadLetter);
      if (tenant !== null) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    }
  return { ids, counts };
}
