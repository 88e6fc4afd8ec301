import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Ago, Time } from '../../ui/time.tsx';

/** What a key may do, and how it was used. */
export function KeyFacts({ apiKey: key }: { apiKey: Resource<'ConsoleKey'> }) {
  const { created_by: by } = key;
  const can = useCan();
  const env = key.livemode ? 'live' : 'test';
  return (
    <Facts
      rows={[
        [t('keys.value'), <code key="start">{key.start}…</code>],
        [t('keys.permissions'), key.permissions.includes('*') ? t('keys.all') : key.permissions.join(', ')],
        [t('keys.addresses'), key.allowed_ips?.join(', ') ?? t('keys.anywhere')],
        [t('keys.lastUsed'), key.last_used_at ? <Used at={key.last_used_at} from={key.last_used_ip} /> : t('never')],
        [t('keys.ends'), key.expires_at ? <Time at={key.expires_at} /> : t('never')],
        ...(key.previous_expires_at ? [[t('keys.previousEnds'), <Time key="previous" at={key.previous_expires_at} />] as const] : []),
        [t('keys.created'), <Time key="created" at={key.created_at} />],
        [t('keys.createdBy'), by && (by.name ?? named('actor', by.type))],
        ...(key.personal_data ? [] : [[t('keys.withoutNames'), t('keys.withoutNamesAbout')] as const]),
        ...(can('settings:read', env) ? [[t('requests.refused'), <ToRequests key="requests" id={key.id} env={env} />] as const] : []),
        ['ID', <code key="id">{key.id}</code>],
      ]}
    />
  );
}

/** What was refused of it, in its environment. */
const ToRequests = ({ id, env }: { id: string; env: Environment }) => (
  <Link to="/app/settings/requests" search={{ key_id: id, live: env === 'live' ? 'true' : undefined } as never}>
    {t('requests.ofKey')}
  </Link>
);

const Used = ({ at, from }: { at: string; from: string | null }) => (
  <>
    <Ago at={at} />
    {from && ` · ${from}`}
  </>
);
