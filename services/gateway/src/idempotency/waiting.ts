import { TERM_MS } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import type { Repeatable } from './row.ts';
import type { Begun, IdempotencyStore } from './store.ts';

/** Of a process that was killed nothing runs any more once its lease has ended: its last renewal is at most so long ago. */
const LONGEST_MS = TERM_MS + 1_000;
const FIRST_MS = 100;
const MOST_MS = 800;
/** Each is a request in flight that asks the database a few times. */
const WAITING_IN_ALL = 500;
const WAITING_PER_SCOPE = 50;

/**
 * Begins requests. A repeat whose key another process has waits until that has answered, has released the key or is known to be gone, at most 5 s: whoever
 * repeats for a client, when a gateway was killed under its request, sends it once. The claim of this process itself, and one that says nothing of its process
 * (until 0.3: of 0.1.0), is not waited for; nor is any where too many wait.
 */
export function createWaiting(store: Pick<IdempotencyStore, 'begin'>, clock: Pick<Clock, 'now' | 'sleep'>) {
  const waiting = new Map<string, number>();
  let inAll = 0;
  const add = (scope: string, one: 1 | -1): void => {
    inAll += one;
    const count = (waiting.get(scope) ?? 0) + one;
    if (count === 0) waiting.delete(scope);
    else waiting.set(scope, count);
  };
  const isElsewhere = (begun: Begun): boolean => begun.kind === 'in_use' && begun.elsewhere === true;

  return async function begin(request: Repeatable): Promise<Begun> {
    const { scope } = request;
    let begun = await store.begin(request);
    if (!isElsewhere(begun) || inAll >= WAITING_IN_ALL || (waiting.get(scope) ?? 0) >= WAITING_PER_SCOPE) return begun;
    add(scope, 1);
    try {
      const end = clock.now() + LONGEST_MS;
      for (let pause = FIRST_MS; isElsewhere(begun) && clock.now() < end; pause = Math.min(2 * pause, MOST_MS)) {
        await clock.sleep(Math.min(pause, end - clock.now()));
        begun = await store.begin(request);
      }
      return begun;
    } finally {
      add(scope, -1);
    }
  };
}
