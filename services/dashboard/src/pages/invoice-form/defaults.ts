import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';

const none = { currency: 'EUR', prices_include_tax: false, rounding: 'line' as const, default_tax_rate: null };

/** What a form begins with: the issuer's currency, way of prices and tax. Undefined while it is read; `none` for who may not read it. */
export function useDefaults() {
  const { console, env } = useConsole();
  const canRead = useCan()('settings:read');
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'issuer'],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/issuer', { signal })),
    enabled: canRead,
    ...{ staleTime: 60_000, refetchOnWindowFocus: false },
  });
  return { defaults: canRead ? data : none, error, refetch };
}
