import type { DocumentStore } from '@svc/document-store';
import { systemClock } from '@svc/kernel';
import { documentDeadLetters } from '../dead-letter.ts';
import { DeadLetterQueues } from '../dead-letters/queues.ts';

/** The dead letters of a process without a bus. */
export const deadLettersIn = (documents: DocumentStore): DeadLetterQueues =>
  new DeadLetterQueues({
    deadLetters: documentDeadLetters(documents),
    clock: systemClock,
    closing: new AbortController().signal,
    logger: { warn: () => undefined, error: () => undefined },
    publish: () => Promise.reject(new Error('there is no bus')),
  });
