import type { Call } from '@svc/testkit';

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

/** An error that a repetition cannot resolve. */
class Refused extends Error {}

/**
 * Repeats an unanswered request under the same Idempotency-Key, at the next of `calls` each time, until it is answered. Throws on an error
 * that a repetition cannot resolve.
 */
export async function withRetries(calls: readonly Call[], path: string, body: unknown, key: string): Promise<Invoice> {
  const options = { headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) };
  for (let turn = 0; turn < TURNS; turn += 1) {
    try {
      const answer = await (calls[turn % calls.length] as Call)<Invoice>('POST', path, options);
      if (answer.status < 300) return answer.body;
      if (answer.status !== 409 && answer.status < 500) throw new Refused(`${path} answered ${answer.status}: ${answer.text}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
    await sleep(100);
  }
  throw new Error(`${path} was never answered`);
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
