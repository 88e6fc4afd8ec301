import createClient, { type Client } from 'openapi-fetch';
import { ApiError, failureOf } from './api-error.ts';
import type { paths } from './generated.ts';

export type Console = Client<paths>;

export interface ConsoleOptions {
  /** Origin of the interface. */
  baseUrl: string;
  /** The environment to act in, asked at each call. */
  livemode: () => boolean;
  /** Sends a request; by default the browser's. May ask a person first, and may throw. */
  send?: (request: Request) => Promise<Response>;
}

/** How often a POST is repeated under its key when its outcome is unknown. */
const REPEATS = 2;

/**
 * The client of the dashboard's interface, for a browser that has a session cookie. Each call names the environment, each POST has an Idempotency-Key, under
 * which it is repeated when no answer came or the answer says that the outcome is unknown. A failure rejects with `ApiError`.
 */
export function createConsole({ baseUrl, livemode, send = (request) => fetch(request) }: ConsoleOptions): Console {
  const client = createClient<paths>({
    baseUrl,
    credentials: 'same-origin',
    // Several values of a filter are one parameter.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: (request) => repeated(request, send),
  });
  client.use({
    onRequest({ request }) {
      request.headers.set('X-Livemode', String(livemode()));
      if (request.method === 'POST') request.headers.set('Idempotency-Key', crypto.randomUUID());
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

async function repeated(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const most = request.method === 'POST' ? REPEATS : 0;
  for (let n = 0; ; n += 1) {
    const isLast = n === most;
    try {
      const response = await send(request.clone());
      if (isLast || response.status < 500 || (await failureOf(response)).code !== 'outcome_unknown') return response;
    } catch (error) {
      if (isLast || (error as Error).name !== 'TypeError') throw error;
    }
  }
}

/** The body of a call's answer. */
export async function answered<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await call;
  return data as Body;
}
