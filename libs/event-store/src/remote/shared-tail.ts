import type { Position } from '@svc/kernel';
import type { Inbox } from './inbox.ts';

/** Receives the events of a subscription: the inbox of a reader, or of all that share it. */
export type Sink = Omit<Inbox, 'done' | 'isLive'>;

/** Subscribes after the sink's position and waits for capacity in it; resolves or rejects when the subscription breaks off. */
export type Subscribe = (signal: AbortSignal, sink: Sink) => Promise<void>;

/** Why a reader ends a subscription, which the other readers then leave as well. */
export const SILENT = new Error('nothing came although there is something to say');

interface Reader {
  inbox: Sink;
  /** The subscription that it reads now; its inbox is never behind it. */
  of?: Subscription;
  end(why: unknown): void;
}

interface Subscription {
  position(): Position;
  /** One reader; of the shared tail all that have reached the end. */
  readers: Set<Reader>;
  close(why?: unknown): void;
}

/**
 * One subscription for all readers of a process that have reached the end of the store: each event is sent and decoded once. For
 * history a reader has a subscription of its own. It moves to the shared one at a moment at which it is at least as far, so that nothing
 * needs to be copied; events that it already has are not repeated. A reader that is too slow for the others gets a subscription of its own
 * again. When the shared one breaks off, all start anew.
 */
export function shareTail(subscribe: Subscribe): Subscribe {
  let tail: Subscription | undefined;

  function open(first: Reader): void {
    const over = new AbortController();
    const readers = new Set<Reader>();
    const self: Subscription = { position: () => position, readers, close };
    let position = first.inbox.position();
    let live = false;
    move(first, self);
    first.inbox.setLive(false);

    const alone = (): Sink | undefined => (readers.size === 1 ? [...readers][0]?.inbox : undefined);

    function resign(): void {
      if (tail === self) tail = undefined;
    }

    function close(why: unknown): void {
      resign();
      over.abort(why);
    }

    /** Becomes the tail, or its readers move to the existing one. */
    function joinTail(): void {
      if (alone()?.isFull()) return; // too slow for the others: it would be sent back at once
      tail ??= self;
      if (tail === self || position < tail.position()) return;
      for (const reader of readers) move(reader, tail);
      over.abort();
    }

    const sink: Sink = {
      position: () => position,
      isFull: () => alone()?.isFull() ?? false,
      async untilFree(signal) {
        resign(); // a blocked subscription is no target
        await alone()?.untilFree(signal);
      },
      put(event) {
        if (over.signal.aborted) return;
        for (const { inbox } of readers) if (event.position > inbox.position()) inbox.put(event);
      },
      advance(to) {
        if (over.signal.aborted) return; // a reader that is to end is not moved
        position = to;
        for (const { inbox } of readers) if (to > inbox.position()) inbox.advance(to);
        for (const reader of readers) if (reader.inbox.isFull() && readers.size > 1) open(reader);
        if (live) joinTail();
      },
      setLive(isLive) {
        if (over.signal.aborted) return;
        live = isLive;
        for (const { inbox } of readers) inbox.setLive(isLive);
        if (live) joinTail();
      },
    };

    const ended = (why: unknown): void => {
      resign();
      for (const reader of readers) reader.end(over.signal.reason ?? why);
    };
    subscribe(over.signal, sink).then(ended, ended);
  }

  return (signal, inbox) =>
    new Promise((_, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const reader: Reader = { inbox, end: reject };
      const leave = (): void => {
        const { of } = reader;
        if (!of) return;
        if (signal.reason === SILENT || of.readers.size === 1) return of.close(signal.reason); // and ends with it
        of.readers.delete(reader);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      open(reader);
    });
}

function move(reader: Reader, to: Subscription): void {
  reader.of?.readers.delete(reader);
  to.readers.add(reader);
  reader.of = to;
}
