import { OutcomeUnknown, systemClock } from '@svc/kernel';
import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb';
import { DocumentsUnavailable } from '../unavailable.ts';

/** Nothing else bounds an operation on a server that stands still. */
export const TIMEOUT_MS = 5_000;
const MOST_TRIES = 5;

export interface Try {
  /** What is left of the operation's time. */
  timeoutMS: number;
  /** An earlier try may have been carried out, or may yet be. */
  doubt: boolean;
}

/**
 * Tries again what the connection broke, within one time: the driver repeats by itself only the first of the operations that a broken
 * pool had in flight. A read that gets no answer throws `DocumentsUnavailable`.
 */
export const reading = <T>(what: string, work: (left: Try) => Promise<T>, limit = TIMEOUT_MS): Promise<T> =>
  insisting(what, work, limit, () => new DocumentsUnavailable(`${what}: MongoDB does not answer`));

/** The same for a write that is safe to repeat, whatever became of the tries before; no answer is `OutcomeUnknown`. */
export const writing = <T>(what: string, work: (left: Try) => Promise<T>): Promise<T> =>
  insisting(what, work, TIMEOUT_MS, () => new OutcomeUnknown(`${what}: MongoDB does not answer`));

/** Waits for work that goes on by itself, for the time of an operation; then throws `DocumentsUnavailable`. */
export function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = systemClock.after(TIMEOUT_MS, () => late.reject(new DocumentsUnavailable(`${what}: MongoDB is not done yet`)));
  return Promise.race([work, late.promise]).finally(cancel);
}

async function insisting<T>(what: string, work: (left: Try) => Promise<T>, limit: number, unanswered: () => Error): Promise<T> {
  const end = systemClock.now() + limit;
  for (let tries = 1; ; tries += 1) {
    const timeoutMS = Math.max(1, end - systemClock.now());
    try {
      return await work({ timeoutMS, doubt: tries > 1 });
    } catch (error) {
      const cause = error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;
      if (!(cause instanceof MongoError)) throw cause;
      if (isOver(cause)) throw unanswered();
      if (!isBroken(cause)) throw new Error(`${what}: MongoDB refuses it: ${cause.code ?? cause.name}`); // its own text may quote the document
      if (tries === MOST_TRIES || systemClock.now() >= end) throw unanswered();
    }
  }
}

const isOver = (error: MongoError): boolean => error instanceof MongoOperationTimeoutError || error instanceof MongoServerSelectionError;

/** Codes of a server that shuts down, steps down or lost its peers. */
const PASSING = new Set<unknown>([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const isBroken = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoWriteConcernError ||
  error.hasErrorLabel(MongoErrorLabel.RetryableWriteError) ||
  PASSING.has(error.code);
