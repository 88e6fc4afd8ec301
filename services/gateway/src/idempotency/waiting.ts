import { TERM_MS } from '@svc/document-store';
import { type Clock, createCapacity } from '@svc/kernel';
import type { Repeatable } from './row.ts';
import type { Begun, IdempotencyStore } from './store.ts';

/** Of a process that was killed nothing runs any more once its lease has ended: its last renewal is at most so long ago. */
const LONGEST_MS = TERM_MS + 1_000;
const FIRST_MS = 100;
const MOST_MS = 800;
/** A request that waits holds its body, and what was made of it, which is several times as large. */
const WAITING_BYTES = { perAccount: 1024 * 1024, inAll: 8 * 1024 * 1024 };
/** A request in flight, whatever its body: 64 of an account wait. */
const LEAST_BYTES = 16 * 1024;

/**
 * Begins requests, of bodies of so many bytes. A repeat whose key another process has waits until that has answered, has released the key or is known to be
 * gone, at most 5 s: whoever repeats for a client, when a gateway was killed under its request, sends it once. The claim of this process itself, and one that
 * says nothing of its process (until 0.3: of 0.1.0), is not waited for; nor is any where too many wait.
 */
export function createWaiting(store: Pick<IdempotencyStore, 'begin'>, clock: Pick<Clock, 'now' | 'sleep'>) {
  const capacity = createCapacity(WAITING_BYTES);
  const isElsewhere = (begun: Begun): boolean => begun.kind === 'in_use' && begun.elsewhere === true;

  return async function begin(request: Repeatable, bytes: number): Promise<Begun> {
    let begun = await store.begin(request);
    const release = isElsewhere(begun) ? capacity.reserve(request.scope, Math.max(bytes, LEAST_BYTES)) : undefined;
    if (!release) return begun;
    try {
      const end = clock.now() + LONGEST_MS;
      for (let pause = FIRST_MS; isElsewhere(begun) && clock.now() < end; pause = Math.min(2 * pause, MOST_MS)) {
        await clock.sleep(Math.min(pause, end - clock.now()));
        begun = await store.begin(request);
      }
      return begun;
    } finally {
      release();
    }
  };
}
