import type { DocumentStore } from '@svc/document-store';
import { millisOf } from '@svc/kernel';

/** Another clock that shows the present time. */
export interface Witness {
  name: string;
  /** Its time in milliseconds since 1970. Rejects where it does not answer. */
  time(): Promise<number>;
}

/** The clock of the server that the service's documents are on, and those of the servers of `origins`. */
export const witnessesOf = ({ time }: Pick<DocumentStore, 'time'>, origins: readonly string[]): Witness[] => [
  ...(time ? [{ name: 'mongodb', time }] : []),
  ...origins.map(dateHeader),
];

const ANSWER_WITHIN_MS = 2_000;

/**
 * The clock of a server by the `Date` of its answer, whatever the answer is (RFC 9110, 6.6.1): to a HEAD of its root, by which nothing is registered. A cache
 * in front of it says by `Age` how old the answer is. To the second.
 */
const dateHeader = (origin: string): Witness => ({
  name: new URL(origin).host,
  async time() {
    const asked = { method: 'HEAD', redirect: 'manual', headers: { 'cache-control': 'no-cache' } } as const;
    const { headers } = await fetch(`${origin}/`, { ...asked, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const at = millisOf(headers.get('date') ?? '') + 1_000 * Number(headers.get('age') ?? 0);
    if (Number.isNaN(at)) throw new Error(`${origin} does not say what time it is`);
    return at;
  },
});
