import { Gauge } from '@svc/service-kit/telemetry/metrics';
import { deadLetterReasons } from '../dead-letter.ts';
import type { LetterBook } from './letter-book.ts';

const books = new Set<LetterBook>();

/** Read when the metrics are. Rejects where a database does not answer: then none are shown, rather than some. */
const lying = new Gauge({
  name: 'svc_dead_letters',
  help: 'Dead letters of a group or publisher, by why: each reason but unknown_type needs an operator, unknown_type a process of the next release.',
  labelNames: ['group', 'reason'],
  async collect() {
    const all = [...books].flatMap((book) =>
      book.groups().flatMap((group) => deadLetterReasons.map((reason) => ({ book, group, reason }))),
    );
    const counts = await Promise.all(all.map(({ book, group, reason }) => book.of(group).count({ reason })));
    this.reset();
    for (const [n, { book, group, reason }] of all.entries()) if (books.has(book)) this.set({ group, reason }, counts[n] ?? 0);
  },
});

/** Shows how many letters there are from now on, until the answer is called. */
export function measureLetters(book: LetterBook): () => void {
  books.add(book);
  return () => {
    books.delete(book);
    if (books.size === 0) lying.reset();
  };
}
