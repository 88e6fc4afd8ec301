import createClient, { type Client } from 'openapi-fetch';
import { ApiError, failureOf } from './api-error.ts';
import type { paths } from './generated.ts';

export type Console = Client<paths>;

export interface ConsoleOptions {
  /** Origin of the interface. */
  baseUrl: string;
  /** The environment to act in, asked at each call. */
  livemode: () => boolean;
  /** Other headers of a request, such as who is shown, asked at each call. */
  headers?: (request: Request) => Record<string, string>;
  /** Resolves after so many milliseconds. */
  wait: (ms: number) => Promise<void>;
  /** Sends a request; by default the browser's. May ask a person first, and may throw. */
  send?: (request: Request) => Promise<Response>;
}

/** How often a POST is repeated under its key when its outcome is unknown. */
const REPEATS = 2;
/** For so long a POST waits for the first request under its key, which still runs. */
const LONGEST_WAIT_MS = 60_000;

/**
 * The client of the dashboard's interface, for a browser that has a session cookie. Each call names the environment and asks for decimals as texts, besides what it prefers itself. Each POST has an
 * Idempotency-Key, the caller's or one of its own, under which it is repeated when no answer came, when the outcome is unknown, and while the first request under it
 * runs. A failure rejects with `ApiError`.
 */
export function createConsole({ baseUrl, livemode, headers, wait, send = (request) => fetch(request) }: ConsoleOptions): Console {
  const client = createClient<paths>({
    baseUrl,
    credentials: 'same-origin',
    // Several values of a filter are one parameter.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: (request) => repeated(request, send, wait),
  });
  client.use({
    onRequest({ request }) {
      request.headers.set('X-Livemode', String(livemode()));
      request.headers.append('Prefer', 'amounts=string');
      for (const [name, value] of Object.entries(headers?.(request) ?? {})) request.headers.set(name, value);
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', crypto.randomUUID());
      return request;
    },
    async onResponse({ response }) {
      if (!response.ok) throw await failureOf(response);
    },
    onError: ({ error }) =>
      error instanceof Error && error.name !== 'TypeError'
        ? error
        : new ApiError({ status: 0, code: 'unreachable', message: 'The server did not answer.', requestId: null }),
  });
  return client;
}

async function repeated(request: Request, send: (request: Request) => Promise<Response>, wait: ConsoleOptions['wait']): Promise<Response> {
  if (request.method !== 'POST') return send(request);
  let waited = 0;
  let lost: unknown;
  for (let repeats = 0; ;) {
    const isLast = repeats === REPEATS;
    try {
      const response = await send(request.clone());
      // Who asks is judged before the key: it says nothing of the request that was not answered.
      if (lost !== undefined && [401, 403].includes(response.status)) throw lost;
      const code = response.ok ? '' : (await failureOf(response)).code;
      const waits = code === 'idempotency_key_in_use' ? secondsOf(response) * 1_000 : undefined;
      if (waits !== undefined && waited + waits <= LONGEST_WAIT_MS) {
        await wait(waits);
        waited += waits;
      } else if (isLast || code !== 'outcome_unknown') return response;
      else repeats += 1;
    } catch (error) {
      // A person who is asked anew and refuses stops the repetition alone.
      if (isLast || error === lost || (error as Error).name !== 'TypeError') throw lost ?? error;
      lost = error;
      repeats += 1;
    }
  }
}

/** Of `Retry-After`; at least one. */
const secondsOf = ({ headers }: Response): number => Math.max(1, Number(headers.get('Retry-After')) || 1);

/** The body of a call's answer. */
export async function answered<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await call;
  return data as Body;
}
