import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb';
import { type Circuit, Denied, OutcomeUnknown, systemClock } from '@svc/kernel';
import { countFailures, inStoreSpan, type StoreCall } from '../store-span.ts';
import { DocumentStoreUnavailable } from '../unavailable.ts';
import { UniqueViolation } from '../unique-violation.ts';

/** Nothing else limits an operation on a server that hangs. */
export const TIMEOUT_MS = 5_000;
const MOST_TRIES = 5;

export interface Try {
  /** What remains of the operation's time. */
  timeoutMS: number;
  /** An earlier try may have been carried out, or may be later. */
  doubt: boolean;
}

/** The operation and the user, for the error when the server denies it. */
export interface Task {
  /** `a write to svc_invoicing.invoices` */
  what: string;
  /** '' where the connection string names none. */
  user: string;
  /** The operation's span; undefined outside a request. */
  call?: StoreCall;
  /** Of its server; absent: it waits for the server, however long that has been away. */
  circuit?: Circuit;
}

const counted = countFailures('mongodb');

/**
 * Retries after connection errors within one time limit: the driver itself repeats only the first of the operations that a broken pool
 * had in flight. A read without an answer throws `DocumentStoreUnavailable`, an operation that the server denies this user `Denied`.
 */
export const reading = <T>(task: Task, work: (left: Try) => Promise<T>, limit = TIMEOUT_MS): Promise<T> =>
  counted('read', () =>
    spanned(task, () =>
      through(task, () => insisting(task, work, limit, () => new DocumentStoreUnavailable(`${task.what}: MongoDB does not answer`))),
    ),
  );

/**
 * The same for an idempotent write, whatever the earlier tries did; without an answer it throws `OutcomeUnknown`, also where the user is
 * denied after a try that may have been carried out.
 */
export const writing = <T>(task: Task, work: (left: Try) => Promise<T>): Promise<T> =>
  counted('write', () => spanned(task, () => written(task, work)));

async function written<T>(task: Task, work: (left: Try) => Promise<T>): Promise<T> {
  const unknown = (cause?: unknown): Error => new OutcomeUnknown(`${task.what}: MongoDB does not answer`, { cause });
  let [doubt, wasSent] = [false, false];
  const attempt = async (left: Try): Promise<T> => {
    doubt ||= wasSent;
    try {
      return await work(left);
    } catch (error) {
      wasSent = (error as Error).name !== 'MongoPoolClearedError'; // otherwise there was no connection to send it by
      throw error;
    }
  };
  try {
    return await through(task, () => insisting(task, attempt, TIMEOUT_MS, unknown), unknown);
  } catch (error) {
    throw error instanceof Denied && (doubt || !didNothing(error.cause)) ? unknown(error) : error;
  }
}

/** One span for all tries. */
const spanned = <T>({ call }: Task, work: () => Promise<T>): Promise<T> => (call ? inStoreSpan(() => call, work) : work());

/** One write of the adapter may be several commands. */
const didNothing = (error: unknown): boolean =>
  !(error instanceof MongoBulkWriteError) || error.upsertedCount + error.modifiedCount + error.deletedCount + error.insertedCount === 0;

/** Waits for work that continues independently, for at most the time of an operation; then throws `DocumentStoreUnavailable`. */
export function inTime<T>({ what }: Task, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = systemClock.after(TIMEOUT_MS, () => late.reject(new DocumentStoreUnavailable(`${what}: MongoDB is not done yet`)));
  return Promise.race([work, late.promise]).finally(cancel);
}

/** `left`: of what is under way when the circuit opens. */
const through = <T>({ circuit }: Task, work: () => Promise<T>, left?: () => Error): Promise<T> =>
  circuit ? circuit.through(work, left) : work();

async function insisting<T>(task: Task, work: (left: Try) => Promise<T>, limit: number, unanswered: () => Error): Promise<T> {
  const end = systemClock.now() + limit;
  for (let tries = 1; ; tries += 1) {
    const timeoutMS = Math.max(1, end - systemClock.now());
    try {
      return await work({ timeoutMS, doubt: tries > 1 });
    } catch (error) {
      const cause = error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;
      if (!(cause instanceof MongoError)) throw cause;
      const code = Number(cause.code);
      if (code === UNAUTHORIZED) throw denied(task, `do ${task.what}`, code, error);
      if (NOT_ACCEPTED.has(code)) throw denied(task, null, code, error);
      if (code === DUPLICATE) throw new UniqueViolation(`${task.what}: a unique index refuses it`);
      if (isOver(cause)) throw unanswered();
      if (!isBroken(cause)) throw new Error(`${task.what}: MongoDB refuses it: ${cause.code ?? cause.name}`); // its own text may quote the document
      if (tries === MOST_TRIES || systemClock.now() >= end) throw unanswered();
      task.circuit?.admit();
    }
  }
}

const DUPLICATE = 11_000;
const UNAUTHORIZED = 13;
/** Invalid user or password: the server's code, and that of Atlas. */
const NOT_ACCEPTED = new Set([18, 8000]);
const denied = ({ user }: Task, right: string | null, code: number, cause: unknown): Denied =>
  new Denied({ server: 'MongoDB', user, right, code }, { cause });

const isOver = (error: MongoError): boolean => error instanceof MongoOperationTimeoutError || error instanceof MongoServerSelectionError;

/** Codes of a server that shuts down, steps down or has lost its peers. */
const PASSING = new Set<unknown>([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const isBroken = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoWriteConcernError ||
  error.hasErrorLabel(MongoErrorLabel.RetryableWriteError) ||
  PASSING.has(error.code);
