import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router';
import { Shell } from '../shell/shell.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { PageFailure } from '../shell/page-failure.tsx';
import { pages } from './pages.ts';

type Search = Record<string, string | undefined>;

const root = createRootRoute({
  validateSearch: (search: Search): Search => search,
  search: { middlewares: [retainSearchParams(['live'])] },
  component: Shell,
  notFoundComponent: NotFound,
});
/** Addresses that lead to Today: one-time links are of the second. */
const starts = ['/', '/app/sign-in'].map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to: '/app' as never, replace: true });
    },
  }),
);
/** A page of another thing, or of the other environment, is another page: nothing that one of them shows, asks or is about to send is in the next. */
const remountDeps = ({ params, search }: { params: object; search: Search }) => ({ params, live: search['live'] === 'true' });
const all = Object.entries(pages).map(([path, load]) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load), remountDeps }),
);

/** Addresses have plain texts as parameters: `?status=failed&page=2&live=true`. */
export const router = createRouter({
  routeTree: root.addChildren([...starts, ...all]),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search) {
    const set = Object.entries(search as Search).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
    return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
  },
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
});
