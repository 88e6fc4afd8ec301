import { answered, ApiError } from '@svc/client/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { shown } from '../../api/shown.ts';
import { createKeeper } from './keeper.ts';
import type { FormValues } from './values.ts';

/** What the form began with: what is sent is what differs from it. */
export interface Base {
  id: string;
  version: number;
  isNumbered: boolean;
  values: FormValues;
}

/** The unfinished form as it is kept. Another `format` is of another release, and is not offered. */
export interface Kept {
  format: 1;
  at: string;
  base: Base | null;
  values: FormValues;
  /** Under which these values were sent to become a draft, where no answer has come: the draft may be there. */
  key?: string | undefined;
}

/** What the form says of itself. */
type Filled = Omit<Kept, 'format' | 'at'>;

const WAIT_MS = 1_500;

/** A browser sends at most 64 KiB for pages that are gone, all together. */
const MOST_KEEPALIVE_BYTES = 60 * 1024;
/** Whether it may be sent so that it arrives though its page is left or loaded again at once. */
const fitsKeepalive = (body: object): boolean => new TextEncoder().encode(JSON.stringify(body)).length <= MOST_KEEPALIVE_BYTES;

/** The unfinished form of a name, which the member has left. Null: none. */
export function useKept(name: string): { kept: Kept | null | undefined; error: Error | null; again: () => void } {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'forms', name],
    async queryFn({ signal }): Promise<Kept | null> {
      try {
        const kept = (await answered(console.GET('/console/forms/{name}', { params: { path: { name } }, signal }))) as unknown as Kept;
        return kept.format === 1 ? kept : null;
      } catch (failure) {
        if (failure instanceof ApiError && failure.code === 'not_found') return null;
        throw failure;
      }
    },
    ...{ staleTime: 0, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  return { kept: data, error, again: () => void refetch() };
}

export interface Keeping {
  keep: (form: Filled) => void;
  /** The same at once; resolves when it was tried. */
  keepNow: (form: Filled) => Promise<void>;
  drop: () => Promise<void>;
  /** How the last attempt to keep it ended; undefined before the first. */
  last: { at: string; error: Error | null } | undefined;
}

/** Keeps the form while it is filled, also when its page is left. Null: nothing is kept. */
export function useKeeping(name: string | null): Keeping {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const [last, setLast] = useState<Keeping['last']>();
  const keeper = useMemo(() => {
    const path = { params: { path: { name: name ?? '' } } };
    const isStill = shown.still();
    const { keep, keepNow, ...rest } = createKeeper<Record<string, unknown>>({
      isOpen: () => name !== null && isStill(),
      put: (body) => answered(console.PUT('/console/forms/{name}', { ...path, body, keepalive: fitsKeepalive(body) })),
      async remove() {
        await answered(console.DELETE('/console/forms/{name}', path)).catch((error: unknown) => {
          if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
        });
        queries.setQueryData([env, 'forms', name], null);
      },
      kept: (error) => setLast({ at: new Date().toISOString(), error }),
      waitMs: WAIT_MS,
    });
    const keptOf = (form: Filled): Record<string, unknown> => ({ format: 1, at: new Date().toISOString(), ...form });
    return { ...rest, keep: (form: Filled) => keep(keptOf(form)), keepNow: (form: Filled) => keepNow(keptOf(form)) };
  }, [console, env, name, queries]);
  useEffect(() => {
    const hide = (): void => {
      if (document.visibilityState === 'hidden') keeper.leave();
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      keeper.flush();
    };
  }, [keeper]);
  return { keep: keeper.keep, keepNow: keeper.keepNow, drop: keeper.drop, last };
}
