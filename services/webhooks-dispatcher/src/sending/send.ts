import type { Dispatcher } from 'undici';
import type { AttemptPhases } from '@svc/contracts/webhook/resource';
import type { Clock } from '@svc/kernel';
import { LRUCache } from 'lru-cache';
import { publicAddressOf } from './called-address.ts';
import { hostOf } from './check-url.ts';
import type { Connected } from './connector.ts';
import { phasesOf, reachedOf, type Times } from './phases.ts';
import { createPools } from './pools.ts';
import { reasonOf, tooLate } from './reason.ts';
import { Refused } from './received.ts';
import type { Resolve } from './resolve.ts';
import { shownText } from './shown-text.ts';

export interface Outgoing {
  /** The endpoint's account; accounts share no connections. */
  account: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface Response {
  status: number;
  /** The beginning as text (`shownText`). */
  body: string;
  retryAfter?: string | undefined;
  /** Where a redirect leads, as text. */
  location?: string | undefined;
}

/** The outcome of one attempt: an HTTP response of any status, or why there was none, and where the time went. */
export type Answered = (Response | { status: null; error: string }) & { phases: AttemptPhases };

/** Sends one POST; never rejects. Enforces the deadline and the checked address, and follows no redirect. `signal` cancels it at once. */
export type Send = (request: Outgoing, signal?: AbortSignal) => Promise<Answered>;

const DEADLINE_MS = 30_000;
const BROKEN_OFF = 'broken off by the sender';
/** Of an attempt that sends nothing. */
export const NO_PHASES: AttemptPhases = { resolve: null, connect: null, tls: null, wait: null, body: null };
const READ_AT_MOST = 64 * 1024;
/** As many as a receiver sends that says every second that it is at work. */
const INFORMATIONAL_AT_MOST = 32;
/** Of a body, for its text. */
const SHOWN = 1024;
const LOCATION = 500;
/** Of at most 2 KiB, which are remembered parsed. */
const URLS = 1_000;

/**
 * Returns a `send` with a deadline of 30 s for resolving, connecting, headers and at most 64 KiB of body, within the bounds of received.ts. A redirect is
 * returned as it is.
 */
export function createSend({ clock, resolve, allowed }: { clock: Clock; resolve: Resolve; allowed: ReadonlySet<string> }): {
  send: Send;
  close(): Promise<void>;
} {
  const pools = createPools(clock);
  const cancelledBy = createCancelling();
  const targets = new LRUCache<string, Addressed>({ max: URLS });

  const parsed = (text: string): Addressed => {
    const known = targets.get(text);
    if (known) return known;
    const url = new URL(text);
    const target = { url, origin: url.origin, path: url.pathname + url.search };
    targets.set(text, target);
    return target;
  };

  const post = (address: string, { account, url: text, headers, body }: Outgoing, call: Call): void => {
    const { url, origin, path } = parsed(text);
    call.times.addressAt = clock.now();
    call.times.wasResolved = address !== '' && address !== hostOf(url);
    if (call.isOver) return;
    if (pools.answersCostTooMuch(account)) return call.fail(new Refused('ANSWERS_TOO_COSTLY'));
    pools.use({ account, origin, address }, (pool, connected, end) => {
      call.times.connected = connected;
      exchange(pool, { method: 'POST', path, headers, body }, call, { clock, end });
    });
  };

  const send: Send = (request, signal) => {
    if (signal?.aborted) return Promise.resolve({ status: null, error: BROKEN_OFF, phases: NO_PHASES });
    const { promise, resolve: answer } = Promise.withResolvers<Answered>();
    const { url, origin } = parsed(request.url);
    const settle = (outcome: Response | { status: null; error: string }): void => {
      cancel();
      cancelled?.delete(breakOff);
      answer({ ...outcome, phases: phasesOf(call.times, clock.now(), request.url.startsWith('https:')) });
    };
    const fail = (error: unknown): void => settle({ status: null, error: reasonOf(error, url.hostname) });
    const call: Call = { isOver: false, abort: undefined, times: { began: clock.now() }, settle, fail };
    // undici reports an abort only after it has connected: the caller is answered before.
    const giveUp = (error: string): void => {
      call.isOver = true;
      settle({ status: null, error });
      call.abort?.();
    };
    const breakOff = (): void => giveUp(BROKEN_OFF);
    const cancel = clock.after(DEADLINE_MS, () => giveUp(tooLate(reachedOf(call.times))));
    const cancelled = signal && cancelledBy(signal);
    cancelled?.add(breakOff);
    // The operating system resolves an origin that is allowed (development).
    if (allowed.has(origin)) post('', request, call);
    else publicAddressOf(url, resolve).then((address) => post(address, request, call), fail);
    return promise;
  };
  return { send, close: () => pools.close() };
}

/**
 * What each signal calls when it aborts, by one listener: a signal with a listener of each call searches them all when one is removed.
 */
function createCancelling(): (signal: AbortSignal) => Set<() => void> {
  const all = new WeakMap<AbortSignal, Set<() => void>>();
  return (signal) => {
    let calls = all.get(signal);
    if (!calls) {
      const made = (calls = new Set());
      all.set(signal, made);
      signal.addEventListener('abort', () => made.forEach((call) => call()), { once: true });
    }
    return calls;
  };
}

/** What is read of a URL. */
interface Addressed {
  url: URL;
  origin: string;
  path: string;
}

interface Call {
  /** The caller has its answer: the deadline, or the end of the process. */
  isOver: boolean;
  /** Ends the request; undefined until it has a connection. */
  abort: (() => void) | undefined;
  times: Times;
  /** Each answers the caller, the first time. */
  settle(response: Response): void;
  fail(error: unknown): void;
}

/**
 * One request and its response, without the objects that `pool.request` makes for each: a stream of the body, and listeners for a signal. Calls `end` when
 * undici has let go of the request.
 */
function exchange(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  call: Call,
  { clock, end }: { clock: Pick<Clock, 'now'>; end(): void },
): void {
  let beginning: Buffer | undefined; // a copy: what came with it is not held
  let [status, read, informational] = [0, 0, 0];
  let [retryAfter, location]: (string | undefined)[] = [];
  const answer = (): void => {
    end();
    call.settle({ status, body: beginning ? shownText(beginning) : '', retryAfter, location });
  };
  pool.dispatch(options, {
    onRequestStart(controller) {
      call.times.requestAt = clock.now();
      // Those that are made from now on are of other attempts.
      call.times.connected = { ...(call.times.connected as Connected) };
      call.abort = () => controller.abort(new Error('given up'));
      if (call.isOver) call.abort();
    },
    onResponseStart(controller, statusCode, headers) {
      controller.rawHeaders = null; // a buffer of each name and value, held until the end
      if (statusCode < 200) {
        informational += 1;
        if (informational > INFORMATIONAL_AT_MOST) controller.abort(new Refused('ANSWER_TOO_LONG'));
        return;
      }
      call.times.statusAt = clock.now();
      status = statusCode;
      const { 'retry-after': asked, location: to } = headers;
      retryAfter = typeof asked === 'string' ? asked : undefined;
      location = typeof to === 'string' ? shownText(Buffer.from(to)).slice(0, LOCATION) : undefined;
    },
    onResponseData(controller, chunk) {
      if (read < SHOWN) beginning = Buffer.concat(beginning ? [beginning, chunk] : [chunk], Math.min(SHOWN, read + chunk.length));
      read += chunk.length;
      if (read <= READ_AT_MOST) return;
      answer();
      controller.abort(new Error('too long'));
    },
    onResponseEnd: answer,
    onResponseError(_, error) {
      // What follows a status is cut off, as a body is that is too long.
      if (status !== 0 && error instanceof Refused) return answer();
      end();
      call.fail(error);
    },
  });
}
