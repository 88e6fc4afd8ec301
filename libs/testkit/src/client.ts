export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

export interface CallOptions {
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  query?: Record<string, string | number>;
}

export type Call = <T = Record<string, never>>(method: string, path: string, options?: CallOptions) => Promise<Answer<T>>;

/** A plain HTTP client. `path` is relative to `base`; any status is returned, nothing is thrown for it. */
export function client(base: string, key?: string): Call {
  return async <T>(method: string, path: string, { body, raw, headers = {}, query = {} }: CallOptions = {}) => {
    const url = new URL(path.startsWith('http') ? path : base + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T, text };
  };
}

/** Calls `probe` until it returns a truthy value and returns that; throws with the last value or error after `withinMs`. */
export async function eventually<T>(probe: () => Promise<T> | T, what: string, withinMs = 60_000): Promise<NonNullable<T>> {
  const until = Date.now() + withinMs;
  let last: unknown;
  let pause = 25; // Grows to a quarter of a second, so that polling does not use up a plan's rate limit.
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until)
      throw new Error(`${what}: not within ${withinMs} ms; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(250, pause * 1.5);
  }
}
