import type { Dispatcher } from 'undici';
import type { Clock } from '@svc/kernel';
import { createPools } from './pools.ts';
import type { Resolve } from './resolve.ts';
import { addressOf } from './target.ts';

export interface Outgoing {
  /** Whose endpoint it is: accounts share no connections. */
  account: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** How one attempt ended: an HTTP answer (any status), or why there was none. `body`: its first KiB. */
export type Answered = { status: number; body: string; retryAfter: string | undefined } | { status: null; error: string };

/** Sends one POST; never rejects. Deadline, redirects and addresses are its business. `signal` breaks it off at once. */
export type Send = (request: Outgoing, signal?: AbortSignal) => Promise<Answered>;

const DEADLINE_MS = 30_000;
const BROKEN_OFF = 'broken off by the sender';
const READ_AT_MOST = 64 * 1024;
const SHOWN = 1024;

/** Redirects are answers like any other. 30 s in all from the call on: resolve, connect, headers, ≤ 64 KiB of body. */
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

/** What was asked for, or a rejection as soon as the signal aborts: undici tells of an abort only once it has connected. */
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

/** What a subscriber may be shown: the kind of failure, never an address of ours or a stack. */
function reasonOf(error: unknown): string {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (name === 'ForbiddenAddress') return message ?? 'forbidden address';
  return code ? `connection failed (${code})` : 'connection failed';
}
