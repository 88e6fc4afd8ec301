import { type Class, nameOf } from '../schema/class.ts';
import { About, AnyObjects, IsWhole, Nested, NestedList, OneOf, Optional } from '../schema/decorators/index.ts';
import { ErrorBody } from './error.ts';

export interface BatchEntry<T> {
  /** Position of the request in the batch, from 0. */
  index: number;
  /** The HTTP status that the request would have had alone. */
  status: number;
  resource?: T;
  error?: ErrorBody;
}

export interface BatchResult<T> {
  object: 'batch';
  succeeded: number;
  failed: number;
  /** In the order of the requests. */
  data: BatchEntry<T>[];
}

const results = new WeakMap<Class, Class>();
const resources = new WeakMap<Class, Class>();
/** The class of the resources in the response to a batch; undefined for other classes. */
export const resourceIn = (result: Class): Class | undefined => resources.get(result);

/** The class of the response to a batch. Each request succeeds or fails by itself. */
export function BatchOf<T extends object>(resource: Class<T>): Class<BatchResult<T>> {
  const made = results.get(resource) ?? resultClass(resource);
  results.set(resource, made);
  return made as Class<BatchResult<T>>;
}

function resultClass(resource: Class): Class {
  class Entry {
    @About('Position of the request in the batch, from 0.') @IsWhole({ min: 0, max: 99 }) index: number;
    @About('HTTP status that the request would have had alone.') @IsWhole({ min: 200, max: 599 }) status: number;
    @About('What was made.') @Optional() @Nested(() => resource) resource?: object;
    @About('Why it failed.') @Optional() @Nested(() => ErrorBody) error?: ErrorBody;
  }
  Object.defineProperty(Entry, 'name', { value: `${nameOf(resource)}BatchEntry` });
  class Batch {
    @About('Kind of resource.') @OneOf(['batch']) object: 'batch';
    @About('How many requests succeeded.') @IsWhole({ min: 0, max: 100 }) succeeded: number;
    @About('How many requests failed.') @IsWhole({ min: 0, max: 100 }) failed: number;
    @About('One entry per request, in their order.') @NestedList(() => Entry, { min: 1, max: 100 }) data: Entry[];
  }
  Object.defineProperty(Batch, 'name', { value: `${nameOf(resource)}BatchResult` });
  resources.set(Batch, resource);
  return Batch;
}

const elements = new WeakMap<Class, Class>();

/** The class of a batch of up to 100 request bodies. The bodies are validated one by one when the batch is carried out, see `problemsOf`. */
export function batchOf<T extends object>(element: Class<T>): Class<{ requests: Record<string, unknown>[] }> {
  class Batch {
    @About('Up to 100 bodies, each done or refused by itself.') @AnyObjects({ min: 1, max: 100 }) requests: Record<string, unknown>[];
  }
  Object.defineProperty(Batch, 'name', { value: `${nameOf(element)}Batch` });
  elements.set(Batch, element);
  return Batch;
}

/** The class of each of the `requests` of a batch; undefined for other classes. */
export const elementOf = (batch: Class): Class | undefined => elements.get(batch);
