import { answered } from '@svc/client/console';
import { useMemo } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import type { Decimal } from '../../format/numbers.ts';
import { useCan } from '../../session/session.ts';

const OFFERED = 8;

/** The products that match a text, for a field that offers them. None for who may not read products. */
export function useProducts() {
  const { console, env } = useConsole();
  const canRead = useCan()('products:read');
  return useMemo(
    () => ({
      key: [env, 'products', 'offered'],
      async read(q: string, signal: AbortSignal): Promise<readonly Resource<'Product'>[]> {
        if (!canRead) return [];
        const query = { per_page: OFFERED, active: true, ...(q && { q }) };
        return (await answered(console.GET('/console/v1/products', { params: { query }, signal }))).data;
      },
    }),
    [console, env, canRead],
  );
}

/** What all lines of a form share. `defaultRate`: the issuer's tax, in percent. */
export interface LineTools {
  products: ReturnType<typeof useProducts>;
  currency: string;
  defaultRate: Decimal | null;
}
