import type { Collection } from '@svc/document-store';
import type { DeadLetter, DeadLetters } from '../dead-letter.ts';

/** Dead letters that nothing can be added to: none is there, and the disk is full. */
export const fullLetters: DeadLetters = () =>
  ({
    insert: () => Promise.reject(new Error('disk full')),
    count: async () => 0,
    find: async function* () {},
  }) as Partial<Collection<DeadLetter>> as Collection<DeadLetter>;
