import type { DocumentStore } from '@svc/document-store';
import { systemClock } from '@svc/kernel';
import { documentDeadLetters } from '../dead-letter.ts';
import { LetterBook } from '../dead-letters/letter-book.ts';

/** The dead letters of a process without a bus. */
export const lettersIn = (documents: DocumentStore): LetterBook =>
  new LetterBook({
    deadLetters: documentDeadLetters(documents),
    clock: systemClock,
    closing: new AbortController().signal,
    logger: { warn: () => undefined, error: () => undefined },
    publish: () => Promise.reject(new Error('there is no bus')),
  });
