import { Pool, type Dispatcher } from 'undici';
import type { Clock } from '@svc/kernel';
import { guardedConnector, refuseLiteral } from './guarded-connect.ts';
import type { Resolve } from './resolve.ts';

export interface Outgoing {
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
const POOLS = 1000;

/** Sends by one undici Pool per origin (the 1,000 used last). Redirects are answers like any other. 30 s in all: connect, headers, ≤ 64 KiB of body. */
export function createSend({ clock, resolve, allowed }: { clock: Clock; resolve: Resolve; allowed: ReadonlySet<string> }): {
  send: Send;
  close(): Promise<void>;
} {
  const pools = new Map<string, Pool>();
  const connect = guardedConnector(resolve);
  const poolOf = (origin: string): Pool => {
    let pool = pools.get(origin);
    if (pool) pools.delete(origin);
    else
      pool = new Pool(origin, {
        connections: 64,
        pipelining: 1,
        keepAliveTimeout: 10_000,
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(allowed.has(origin) ? {} : { connect }),
      });
    pools.set(origin, pool);
    if (pools.size > POOLS) {
      const [oldest, unused] = pools.entries().next().value as [string, Pool];
      pools.delete(oldest);
      void unused.close();
    }
    return pool;
  };

  const send: Send = async ({ url: text, headers, body }, signal) => {
    if (signal?.aborted) return { status: null, error: BROKEN_OFF };
    const end = new AbortController();
    const breakOff = (): void => end.abort();
    const cancel = clock.after(DEADLINE_MS, breakOff);
    signal?.addEventListener('abort', breakOff, { once: true });
    try {
      const url = new URL(text);
      if (!allowed.has(url.origin)) refuseLiteral(url);
      const answer = await poolOf(url.origin).request({
        method: 'POST',
        path: url.pathname + url.search,
        headers,
        body,
        signal: end.signal,
      });
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        body: await firstKiB(answer.body),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      };
    } catch (error) {
      if (signal?.aborted) return { status: null, error: BROKEN_OFF };
      return { status: null, error: end.signal.aborted ? 'no complete answer within 30 seconds' : reasonOf(error) };
    } finally {
      cancel();
      signal?.removeEventListener('abort', breakOff);
    }
  };
  return { send, close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.destroy()))) };
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
