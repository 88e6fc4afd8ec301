import type { Class } from '../class.ts';
import { nameOf } from '../class.ts';
import { IsAnyText, IsWhole, Nested, NestedList, Nullable } from '../decorators/index.ts';

const count = () => IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER });

export class ListMeta {
  @count() current_page: number;
  @count() per_page: number;
  @count() total: number;
  /** At least 1. */
  @count() last_page: number;
}

/** Absolute, with all filters. */
export class ListLinks {
  @IsAnyText(8192) first: string;
  @IsAnyText(8192) last: string;
  @Nullable() @IsAnyText(8192) prev: string | null;
  @Nullable() @IsAnyText(8192) next: string | null;
}

export interface ListEnvelope<T> {
  data: T[];
  meta: ListMeta;
  links: ListLinks;
}

const lists = new WeakMap<Class, Class<ListEnvelope<object>>>();

/** The list envelope of the contract, of one kind of resource. */
export function ListOf<T extends object>(resource: Class<T>): Class<ListEnvelope<T>> {
  const made = lists.get(resource) ?? listClass(resource);
  lists.set(resource, made);
  return made as Class<ListEnvelope<T>>;
}

function listClass(resource: Class): Class<ListEnvelope<object>> {
  class List {
    @NestedList(() => resource, { max: 100 }) data: object[];
    @Nested(() => ListMeta) meta: ListMeta;
    @Nested(() => ListLinks) links: ListLinks;
  }
  Object.defineProperty(List, 'name', { value: `${nameOf(resource)}List` });
  return List;
}
