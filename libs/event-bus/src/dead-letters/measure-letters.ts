import { millisOf } from '@svc/kernel';
import { Gauge } from 'prom-client';
import { type DeadLetterReason, deadLetterReasons } from '../dead-letter.ts';
import type { LetterBook } from './letter-book.ts';

const books = new Set<LetterBook>();

interface Measured {
  book: LetterBook;
  group: string;
  reason: DeadLetterReason;
}

/** Evaluated when the metrics are read, one group at a time, since requests share the connections. Rejects where a database does not answer: then the metric is absent rather than incomplete. */
const gaugeOf = (name: string, help: string, read: (of: Measured) => Promise<number>): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: ['group', 'reason'],
    async collect() {
      const found: (Measured & { value: number })[] = [];
      for (const book of books)
        for (const group of book.groups()) {
          const all = deadLetterReasons.map((reason) => ({ book, group, reason }));
          found.push(...(await Promise.all(all.map(async (one) => ({ ...one, value: await read(one) })))));
        }
      this.reset();
      for (const { book, group, reason, value } of found) if (books.has(book)) this.set({ group, reason }, value);
    },
  });

const gauges = [
  gaugeOf(
    'svc_dead_letters',
    'Dead letters of a group or publisher, by why: each reason but unknown_type needs an operator, unknown_type a process of the next release.',
    ({ book, group, reason }) => book.of(group).count({ reason }),
  ),
  gaugeOf(
    'svc_dead_letters_oldest_seconds',
    'How long the oldest dead letter of a group or publisher has been there; 0: there is none. It stays until it is redriven or dropped.',
    async ({ book, group, reason }) => {
      const oldest = book.of(group).find({ reason }, { sort: { at: 1 }, limit: 1 });
      for await (const { at } of oldest) return Math.max(0, book.options.clock.now() - millisOf(at)) / 1_000;
      return 0;
    },
  ),
];

/** Exports the number and age of letters until the returned function is called. */
export function measureLetters(book: LetterBook): () => void {
  books.add(book);
  return () => {
    books.delete(book);
    if (books.size === 0) for (const gauge of gauges) gauge.reset();
  };
}
