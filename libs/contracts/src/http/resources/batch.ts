import type { Class } from '../class.ts';
import { nameOf } from '../class.ts';
import { IsWhole, Nested, NestedList, OneOf, Optional } from '../decorators/index.ts';
import { ErrorBody } from './error.ts';

export interface BatchEntry<T> {
  /** Of the request. */
  index: number;
  /** The HTTP status it would have had alone. */
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

/** The answer to a batch: each entry was done or refused by itself. */
export function BatchOf<T extends object>(resource: Class<T>): Class<BatchResult<T>> {
  class Entry {
    @IsWhole({ min: 0, max: 99 }) index: number;
    @IsWhole({ min: 200, max: 599 }) status: number;
    @Optional() @Nested(() => resource) resource?: object;
    @Optional() @Nested(() => ErrorBody) error?: ErrorBody;
  }
  Object.defineProperty(Entry, 'name', { value: `${nameOf(resource)}BatchEntry` });
  class Batch {
    @OneOf(['batch']) object: 'batch';
    @IsWhole({ min: 0, max: 100 }) succeeded: number;
    @IsWhole({ min: 0, max: 100 }) failed: number;
    @NestedList(() => Entry, { min: 1, max: 100 }) data: Entry[];
  }
  Object.defineProperty(Batch, 'name', { value: `${nameOf(resource)}BatchResult` });
  return Batch as unknown as Class<BatchResult<T>>;
}
