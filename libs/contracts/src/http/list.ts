import { type Class, nameOf } from '../schema/class.ts';
import { About, IsAnyText, IsWhole, Nested, NestedList, Nullable } from '../schema/decorators/index.ts';

const count = () => IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER });

export class ListMeta {
  @About('Number of this page.') @count() current_page: number;
  @About('Items per page.') @count() per_page: number;
  @About('Items on all pages.') @count() total: number;
  @About('Number of the last page, at least 1.') @count() last_page: number;
}

/** Absolute links with all filters of the request. */
export class ListLinks {
  @About('First page.') @IsAnyText(8192) first: string;
  @About('Last page.') @IsAnyText(8192) last: string;
  @About('Previous page; null on the first.') @Nullable() @IsAnyText(8192) prev: string | null;
  @About('Next page; null on the last.') @Nullable() @IsAnyText(8192) next: string | null;
}

export interface ListEnvelope<T> {
  data: T[];
  meta: ListMeta;
  links: ListLinks;
}

const lists = new WeakMap<Class, Class<ListEnvelope<object>>>();

const listed = new WeakMap<Class, Class>();
/** The class of a list's items; undefined if the class is not a list. */
export const listedIn = (list: Class): Class | undefined => listed.get(list);

export function ListOf<T extends object>(resource: Class<T>): Class<ListEnvelope<T>> {
  const made = lists.get(resource) ?? listClass(resource);
  lists.set(resource, made);
  return made as Class<ListEnvelope<T>>;
}

function listClass(resource: Class): Class<ListEnvelope<object>> {
  class List {
    @About('The items of this page.') @NestedList(() => resource, { max: 100 }) data: object[];
    @About('Where this page is in the list.') @Nested(() => ListMeta) meta: ListMeta;
    @About('Absolute links to other pages, with all filters.') @Nested(() => ListLinks) links: ListLinks;
  }
  listed.set(List, resource);
  Object.defineProperty(List, 'name', { value: `${nameOf(resource)}List` });
  return List;
}
