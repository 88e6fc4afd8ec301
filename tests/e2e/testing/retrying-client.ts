import type { Answer, Call } from '@svc/testkit';

export interface Invoice {
  id: string;
  status: string;
  number: string;
  fiscal_code: string;
  total: number;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Limit of repetitions, each at least a tenth of a second apart. */
const TURNS = 2400;

const isFinal = ({ status, headers }: Answer<unknown>): boolean =>
  status !== 409 && status < 500 && !(status === 200 && headers.has('retry-after'));

/**
 * Repeats a request under the same Idempotency-Key, at the next of `calls` each time, until it is answered by what another repetition does not
 * change: its success, or an error of the caller's. A batch with an item whose outcome is not known asks for a repetition by `Retry-After`.
 */
export async function untilAnswered<T>(calls: readonly Call[], path: string, body: unknown, key: string): Promise<Answer<T>> {
  const options = { headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const answer = await (calls[turn % calls.length] as Call)<T>('POST', path, options).catch(() => undefined);
    if (answer && isFinal(answer)) return answer;
    await sleep(100);
  }
  throw new Error(`${path} was never answered`);
}

/** The same for a request that is in order: throws on an error that a repetition cannot resolve. */
export async function withRetries(calls: readonly Call[], path: string, body: unknown, key: string): Promise<Invoice> {
  const answer = await untilAnswered<Invoice>(calls, path, body, key);
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** All items of a list, page by page. */
export async function everything<T>(call: Call, path: string, query: Record<string, string> = {}): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body, text } = await call<{ data: T[]; links: { next: string | null } }>('GET', path, {
      query: { per_page: 100, page, ...query },
    });
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    rows.push(...body.data);
    if (body.links.next === null) return rows;
  }
}

const REQUESTS_AT_ONCE = 20;

/** Does the work of all of them, up to 20 at once. */
export async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: REQUESTS_AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
}
