import type { Dispatcher } from 'undici';
import type { Clock } from '@svc/kernel';
import { createPools } from './pools.ts';
import type { Resolve } from './resolve.ts';
import { addressOf } from './target.ts';

export interface Outgoing {
  /** The endpoint's account; accounts share no connections. */
  account: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** The outcome of one attempt: an HTTP response of any status (`body`: its first KiB), or why there was none. */
export type Answered = { status: number; body: string; retryAfter: string | undefined } | { status: null; error: string };

/** Sends one POST; never rejects. Enforces the deadline and the checked address, and follows no redirect. `signal` cancels it at once. */
export type Send = (request: Outgoing, signal?: AbortSignal) => Promise<Answered>;

const DEADLINE_MS = 30_000;
const BROKEN_OFF = 'broken off by the sender';
const READ_AT_MOST = 64 * 1024;
const SHOWN = 1024;

/**
 * Returns a `send` with a deadline of 30 s for resolving, connecting, headers and at most 64 KiB of body. A redirect is returned as it is.
 */
export function createSend({ clock, resolve, allowed }: { clock: Clock; resolve: Resolve; allowed: ReadonlySet<string> }): {
  send: Send;
  close(): Promise<void>;
} {
  const pools = createPools(clock);

  const post = async ({ account, url: text, headers, body }: Outgoing, end: AbortSignal): Promise<Answered> => {
    const url = new URL(text);
    const address = await addressOf(url, allowed, resolve);
    end.throwIfAborted();
    return pools.use({ account, origin: url.origin, address }, async (pool) => {
      const answer = await pool.request({ method: 'POST', path: url.pathname + url.search, headers, body, signal: end });
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        body: await firstKiB(answer.body),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      };
    });
  };

  const send: Send = async (request, signal) => {
    if (signal?.aborted) return { status: null, error: BROKEN_OFF };
    const end = new AbortController();
    const breakOff = (): void => end.abort();
    const cancel = clock.after(DEADLINE_MS, breakOff);
    signal?.addEventListener('abort', breakOff, { once: true });
    try {
      return await unlessAborted(post(request, end.signal), end.signal);
    } catch (error) {
      if (signal?.aborted) return { status: null, error: BROKEN_OFF };
      return { status: null, error: end.signal.aborted ? 'no complete answer within 30 seconds' : reasonOf(error) };
    } finally {
      cancel();
      signal?.removeEventListener('abort', breakOff);
    }
  };
  return { send, close: () => pools.close() };
}

/** Settles as `asked`, or rejects as soon as the signal aborts: undici reports an abort only after it has connected. */
async function unlessAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([asked, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function firstKiB(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < SHOWN) kept.push(chunk);
    read += chunk.length;
    if (read > READ_AT_MOST) {
      body.destroy();
      break;
    }
  }
  return Buffer.concat(kept).subarray(0, SHOWN).toString('utf8');
}

/** The kind of failure, as subscribers see it: never an internal address or a stack. */
function reasonOf(error: unknown): string {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (name === 'ForbiddenAddress') return message ?? 'forbidden address';
  return code ? `connection failed (${code})` : 'connection failed';
}
