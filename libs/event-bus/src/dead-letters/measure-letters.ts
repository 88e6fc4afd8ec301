import { Gauge } from 'prom-client';
import { type DeadLetterReason, deadLetterReasons } from '../dead-letter.ts';
import type { LetterBook } from './letter-book.ts';

const books = new Set<LetterBook>();

/** Evaluated when the metrics are read. Rejects where a database does not answer: then the metric is absent rather than incomplete. */
const gauge = new Gauge({
  name: 'svc_dead_letters',
  help: 'Dead letters of a group or publisher, by why: each reason but unknown_type needs an operator, unknown_type a process of the next release.',
  labelNames: ['group', 'reason'],
  async collect() {
    const counted: { book: LetterBook; group: string; reason: DeadLetterReason; count: number }[] = [];
    for (const book of books)
      for (const group of book.groups()) {
        const counts = deadLetterReasons.map(async (reason) => ({ book, group, reason, count: await book.of(group).count({ reason }) }));
        counted.push(...(await Promise.all(counts))); // one group at a time: requests share the connections
      }
    this.reset();
    for (const { book, group, reason, count } of counted) if (books.has(book)) this.set({ group, reason }, count);
  },
});

/** Exports the number of letters until the returned function is called. */
export function measureLetters(book: LetterBook): () => void {
  books.add(book);
  return () => {
    books.delete(book);
    if (books.size === 0) gauge.reset();
  };
}
