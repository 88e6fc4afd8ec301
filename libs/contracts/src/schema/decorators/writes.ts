import 'reflect-metadata';
import type { Class } from '../class.ts';

const writes = Symbol('writes');
const live = Symbol('live');

export interface Written {
  resource: Class;
  /** Fields of the resource that another request writes, once. */
  fixed: readonly string[];
}

/**
 * The resource that a request body writes. Its fields that the body does not have are calculated: they may be sent as they were read, see
 * `takeCalculated`. Whoever serves such a body calls `checkCalculated`. `fixed`: those that are given at the creation and not calculated.
 */
export const Writes =
  (resource: () => Class, fixed: readonly string[] = []): ClassDecorator =>
  (request) =>
    Reflect.defineMetadata(writes, () => ({ resource: resource(), fixed }), request);

export const writtenBy = (request: Class): Written | undefined =>
  (Reflect.getOwnMetadata(writes, request) as (() => Written) | undefined)?.();

/** A field of a resource that changes by itself, between a read and the write that follows: sent back, it is ignored whatever its value. */
export const Live = (): PropertyDecorator => (target, property) => Reflect.defineMetadata(live, true, target, property);

export const isLive = (prototype: object, property: string): boolean => Reflect.hasMetadata(live, prototype, property);
