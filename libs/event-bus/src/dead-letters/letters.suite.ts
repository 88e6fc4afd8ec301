import type { Documents } from '@svc/document-store';
import { systemClock } from '@svc/kernel';
import { documentDeadLetters } from '../dead-letter.ts';
import { LetterBook } from './letter-book.ts';

/** The dead letters of a process that has no bus. */
export const lettersIn = (documents: Documents): LetterBook =>
  new LetterBook({
    deadLetters: documentDeadLetters(documents),
    clock: systemClock,
    closing: new AbortController().signal,
    logger: { warn: () => undefined, error: () => undefined },
    publish: () => Promise.reject(new Error('there is no bus')),
  });
