import type { Collection } from '@svc/document-store';
import type { DeadLetter, DeadLetters } from '../dead-letter.ts';

/** Dead letters to which nothing can be added: the collection is empty and its disk full. */
export const fullDeadLetters: DeadLetters = () =>
  ({
    insert: () => Promise.reject(new Error('disk full')),
    count: async () => 0,
    find: async function* () {},
  }) as Partial<Collection<DeadLetter>> as Collection<DeadLetter>;
