import type { Call } from '@svc/testkit';

export interface Invoice {
  id: string;
  status: string;
  number: string;
  fiscal_code: string;
  total: number;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests that are repeated until they are answered take at most as many turns of at least a tenth of a second. */
const TURNS = 2400;

/** A refusal that no repeat mends. */
class Refused extends Error {}

/**
 * A client as it should be: repeats what was not answered, under the same Idempotency-Key, until it is, at the next of `calls` each
 * time. Throws on an answer that no repeat mends.
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

/** Every item of a list, page by page. */
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
