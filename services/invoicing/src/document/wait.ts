import type { ServerResponse } from 'node:http';
import { context as spans } from '@opentelemetry/api';
import type { EventStore } from '@svc/event-store';
import { type Clock, createCapacity, DomainError } from '@svc/kernel';
import { logFailure, MOST_WAITING, type Logger } from '@svc/service';

/** A document that no report has named is read again after this long, the most that are read so at once. */
const AGAIN_MS = 2_000;
const MOST_AGAIN = 100;

const MIB = 1_048_576;
/** Stored bytes of the documents that are waited for: a request that waits holds its body and its answer, some four times as much. */
const MOST_BYTES = { perAccount: 8 * MIB, inAll: 32 * MIB };

/** A document as it was read, with the stored bytes of its events. */
export interface Seen<Resource> {
  resource: Resource;
  revision: bigint;
  bytes: number;
}

export interface Wait<Resource> {
  stream: string;
  account: string;
  seconds: number;
  /** The document as the request has left it. */
  first: Resource;
  /** The response, which closes when the caller disconnects. */
  response: Pick<ServerResponse, 'once' | 'off' | 'destroyed'>;
  look(): Promise<Seen<Resource>>;
  /** Nothing changes by itself any more. */
  isSettled(resource: Resource): boolean;
}

/** Requests that wait for the outcome of their documents. */
export interface OutcomeWaits {
  /**
   * Resolves with the document as it was last seen: once it is settled, when the time is over, when the caller has gone or the process stops. Undefined,
   * at once: no more may wait.
   */
  wait<Resource>(wait: Wait<Resource>): Promise<Resource | undefined>;
}

export interface OutcomeWaitsOptions {
  store: Pick<EventStore, 'watch'>;
  clock: Clock;
  logger: Logger;
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal;
}

interface Waiter {
  look(): Promise<Seen<unknown>>;
  saw(seen: Seen<unknown>): void;
  end(): void;
}

/** A document that is waited for. */
interface Awaited {
  waiters: Set<Waiter>;
  /** The newest revision that was reported, and the one that was read. */
  reported: bigint;
  revision: bigint;
  readAt: number;
  isDue: boolean;
  isBeingRead: boolean;
}

/**
 * One watch of the store for all who wait. A document is read once for all its waiters: when they come, when an event of it is reported, and as a fallback
 * after 2 s without a read.
 */
export function createOutcomeWaits({ store, clock, logger, stopping }: OutcomeWaitsOptions): OutcomeWaits {
  const places = createCapacity(MOST_WAITING);
  const memory = createCapacity(MOST_BYTES);
  const documents = new Map<string, Awaited>();
  let watching: { begun: Promise<void>; stop(): void } | undefined;

  /** Reads until nothing more is due. Those see it who waited when the read began. */
  async function read(document: Awaited): Promise<void> {
    document.isDue = true;
    if (document.isBeingRead) return;
    document.isBeingRead = true;
    while (document.isDue && document.waiters.size > 0) {
      document.isDue = false;
      document.readAt = clock.now();
      const { reported } = document;
      const waiters = [...document.waiters] as [Waiter];
      try {
        const seen = await waiters[0].look();
        document.revision = seen.revision;
        for (const waiter of waiters) waiter.saw(seen);
        document.isDue ||= document.reported > reported && document.reported > document.revision;
      } catch (error) {
        if (!document.waiters.has(waiters[0]))
          document.isDue = true; // its caller has gone: the next one reads
        else if (!isUnavailable(error)) logFailure(logger, error, 'a document that is waited for cannot be read');
      }
    }
    document.isBeingRead = false;
  }

  function reported(stream: string, revision: bigint): void {
    const document = documents.get(stream);
    if (!document || revision <= document.reported) return;
    document.reported = revision;
    if (!document.isBeingRead && revision > document.revision) void read(document);
  }

  function readAgain(): void {
    const before = clock.now() - AGAIN_MS;
    const due = [...documents.values()].filter(({ readAt }) => readAt <= before).sort((a, b) => a.readAt - b.readAt);
    for (const document of due.slice(0, MOST_AGAIN)) void read(document);
  }

  function startWatching(): NonNullable<typeof watching> {
    const { begun, stop } = store.watch(reported);
    const over = new AbortController();
    void (async () => {
      for (;;) {
        await clock.sleep(AGAIN_MS, over.signal);
        if (over.signal.aborted) return;
        readAgain();
      }
    })();
    return { begun, stop: () => (over.abort(), stop()) };
  }

  function awaited(stream: string): Awaited {
    const known = documents.get(stream);
    if (known) return known;
    const document: Awaited = {
      ...{ waiters: new Set<Waiter>(), reported: -1n, revision: -1n },
      ...{ readAt: clock.now(), isDue: false, isBeingRead: false },
    };
    documents.set(stream, document);
    return document;
  }

  function leave(stream: string, { waiters }: Awaited): void {
    if (waiters.size > 0) return;
    documents.delete(stream);
    if (documents.size > 0) return;
    watching?.stop();
    watching = undefined;
  }

  stopping.addEventListener('abort', () => {
    for (const { waiters } of [...documents.values()]) for (const waiter of [...waiters]) waiter.end();
  });

  return {
    async wait<Resource>({ stream, account, seconds, first, response, look, isSettled }: Wait<Resource>) {
      if (isSettled(first)) return first;
      const release = stopping.aborted || response.destroyed ? undefined : places.reserve(account, 1);
      if (!release) return undefined;
      return new Promise<Resource | undefined>((resolve) => {
        let last = first;
        let releaseMemory: (() => void) | undefined;
        const document = awaited(stream);
        const finish = (answer: Resource | undefined): void => {
          if (!document.waiters.delete(waiter)) return;
          cancel();
          response.off('close', waiter.end);
          release();
          releaseMemory?.();
          leave(stream, document);
          resolve(answer);
        };
        const waiter = {
          look: spans.bind(spans.active(), look),
          saw({ resource, bytes }: Seen<Resource>): void {
            if (!document.waiters.has(waiter)) return;
            last = resource;
            releaseMemory ??= memory.reserve(account, bytes);
            if (isSettled(last)) finish(last);
            else if (!releaseMemory) finish(undefined);
          },
          end: () => finish(last),
        } satisfies Waiter;
        const cancel = clock.after(seconds * 1_000, waiter.end);
        response.once('close', waiter.end);
        document.waiters.add(waiter);
        watching ??= startWatching();
        void watching.begun.then(() => read(document));
      });
    },
  };
}

const isUnavailable = (error: unknown): boolean => error instanceof DomainError && error.code === 'service_unavailable';
