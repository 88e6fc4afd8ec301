import { useNavigate, useSearch } from '@tanstack/react-router';

type Search = Record<string, string | undefined>;

export interface ListSearch<Name extends string> {
  /** The filters that are set. */
  filters: Partial<Record<Name, string>>;
  page: number;
  /** Changes filters, and goes to the first page. An empty value takes a filter away. */
  filter(change: Partial<Record<Name, string>>): void;
  /** The address of another page of the list, as search parameters. */
  toPage(page: number): (before: Search) => Search;
}

/** The filters and the page of a list, which stand in the address: a link and "back" keep them. */
export function useListSearch<Name extends string>(names: readonly Name[]): ListSearch<Name> {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const filters = Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : []))) as Partial<
    Record<Name, string>
  >;
  return {
    filters,
    page: Math.max(1, Math.trunc(Number(search['page'])) || 1),
    filter(change) {
      const set = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value === '' ? undefined : value])) as Search;
      void navigate({ to: '.', search: (before: Search) => ({ ...before, page: undefined, ...set }), replace: true });
    },
    toPage: (page) => (before) => ({ ...before, page: page === 1 ? undefined : String(page) }),
  };
}
