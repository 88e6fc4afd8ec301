import { answered } from '@svc/client/console';
import { useMemo } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showPriceIn } from '../../format/numbers.ts';

const OFFERED = 24;

/** The active products that match a text; all of them by name, up to two dozen, without one. */
export function useSellable() {
  const { console, env } = useConsole();
  return useMemo(
    () => ({
      key: [env, 'products', 'sellable'],
      async read(q: string, signal: AbortSignal): Promise<readonly Resource<'Product'>[]> {
        const query = { active: true, sort: 'name' as const, per_page: OFFERED, ...(q && { q }) };
        return (await answered(console.GET('/console/v1/products', { params: { query }, signal }))).data;
      },
    }),
    [console, env],
  );
}

/** The price of a product, in its currency or else `ofIssuer`; undefined where it has none. */
export const priceOf = ({ unit_price: price, currency }: Resource<'Product'>, ofIssuer: string | undefined): string | undefined =>
  price === null ? undefined : showPriceIn(price, currency ?? ofIssuer);
