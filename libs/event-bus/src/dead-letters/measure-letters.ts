import { Gauge } from '@svc/service-kit/telemetry/metrics';
import { deadLetterReasons } from '../dead-letter.ts';
import type { LetterBook } from './letter-book.ts';

const books = new Set<LetterBook>();

/** Read when the metrics are. Where a database does not answer, its letters are left out. */
const lying = new Gauge({
  name: 'svc_dead_letters',
  help: 'Dead letters of a group or publisher, by why: each reason but unknown_type needs an operator, unknown_type a process of the next release.',
  labelNames: ['group', 'reason'],
  async collect() {
    this.reset();
    for (const book of books)
      for (const group of book.groups())
        for (const reason of deadLetterReasons) {
          const count = await book
            .of(group)
            .count({ reason })
            .catch(() => undefined);
          if (count !== undefined) this.set({ group, reason }, count);
        }
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
