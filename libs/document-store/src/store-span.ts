import { SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';
import { Denied } from '@svc/kernel';
import { Counter } from 'prom-client';

/** A server as a client span names it; undefined where the connection string lists several, of which the driver chooses. */
export type Server = { address: string; port: number } | undefined;

/** One call of a database, by the semantic conventions. Holds no value: no id, no filter, no document. */
export interface StoreCall {
  /** `db.system.name`: `mongodb`, `eventstoredb`, `sqlite`. */
  system: string;
  /** The server's name of the operation: `find`, `appendToStream`. */
  operation: string;
  /** A collection or a category of streams. */
  collection: string;
  /** '' for none. */
  namespace: string;
  server?: Server;
}

/**
 * Runs `work` in a client span below the current one. Without a recorded current span it only runs `work`: subscriptions and other
 * background work make no traces. An error is named by its class or the server's code, never by its text, which may hold ids.
 */
export function inStoreSpan<T>(about: () => StoreCall, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan()?.isRecording() ? traced(about(), work) : work();
}

async function traced<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
  const name = `${call.operation} ${call.collection}`;
  const span = trace.getTracer('svc').startSpan(name, { kind: SpanKind.CLIENT, attributes: attributesOf(call) });
  try {
    return await work();
  } catch (error) {
    const { status, type } = failureOf(error);
    span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
    if (status !== undefined) span.setAttribute('db.response.status_code', status);
    throw error;
  } finally {
    span.end();
  }
}

const attributesOf = ({ system, operation, collection, namespace, server }: StoreCall): Attributes => ({
  'db.system.name': system,
  'db.operation.name': operation,
  'db.collection.name': collection,
  ...(namespace !== '' && { 'db.namespace': namespace }),
  ...(server && { 'server.address': server.address, 'server.port': server.port }),
});

function failureOf(error: unknown): { type: string; status?: string } {
  const code = error instanceof Denied ? error.denial.code : (error as { code?: unknown }).code;
  if (typeof code === 'number') return { type: String(code), status: String(code) };
  if (typeof code === 'string') return { type: code };
  return { type: error instanceof Error ? error.name : 'unknown' };
}

export type StoreOperation = 'read' | 'write';

const failures = new Counter({
  name: 'svc_store_failures_total',
  help: 'Reads and writes of a store that failed after all retries: it did not answer, denied or refused them. Conflicts do not count.',
  labelNames: ['store', 'operation'],
});

/**
 * Counts the failures of a store's operations, from 0 on. `store` is a value of `db.system.name`: `mongodb`, `eventstoredb`, `sqlite`.
 * `isAnswer`: an error that is an answer of the store, not a failure.
 */
export function countFailures(store: string, isAnswer: (error: unknown) => boolean = () => false) {
  for (const operation of ['read', 'write'] as const) failures.inc({ store, operation }, 0);
  return async <T>(operation: StoreOperation, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isAnswer(error)) failures.inc({ store, operation });
      throw error;
    }
  };
}
