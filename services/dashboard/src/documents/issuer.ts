import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../api/consoles.ts';
import { dayIn } from '../format/dates.ts';
import { useCan } from '../session/session.ts';

export const issuerKey = (env: string): readonly string[] => [env, 'issuer'];
export const issuerBasicsKey = (env: string): readonly string[] => [env, 'issuer-basics'];

/** The issuer of the environment, for who may read it. `isRead`: nothing more comes. */
export function useIssuer() {
  const { console, env } = useConsole();
  const canRead = useCan()('settings:read');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: issuerKey(env),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/issuer', { signal })),
    enabled: canRead,
    ...{ staleTime: 60_000, refetchOnWindowFocus: false },
  });
  return { issuer: data, canRead, isRead: !canRead || !isPending, error, refetch };
}

/** What of the issuer every member works by, also who may not read the rest. */
export function useIssuerBasics() {
  const { console, env } = useConsole();
  return useQuery({
    queryKey: issuerBasicsKey(env),
    queryFn: ({ signal }) => answered(console.GET('/console/issuer', { signal })),
    ...{ staleTime: 60_000, refetchOnWindowFocus: false },
  });
}

/** Today where the issuer is, which documents and reports go by; the reader's where that cannot be read. Undefined while it is read. */
export function useToday(): string | undefined {
  const { data, isPending } = useIssuerBasics();
  return isPending ? undefined : dayIn(data?.time_zone);
}
