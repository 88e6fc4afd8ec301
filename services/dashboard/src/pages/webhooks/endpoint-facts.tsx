import { t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Ago, Time } from '../../ui/time.tsx';
import type { Endpoint } from './endpoints.ts';

/** What is sent to an endpoint, and how. Values of headers are not among it. */
export const EndpointFacts = ({ endpoint }: { endpoint: Endpoint }) => (
  <Facts
    rows={[
      [t('hooks.url'), endpoint.url],
      [t('hooks.events'), endpoint.events.includes('*') ? t('hooks.allEvents') : endpoint.events.join(', ')],
      [t('hooks.headers'), endpoint.header_names.join(', ') || null],
      [t('hooks.rate'), endpoint.rate_per_second === null ? t('hooks.rateNone') : t('hooks.rateIs', { count: endpoint.rate_per_second })],
      [t('hooks.lastSuccess'), endpoint.health.last_success_at ? <Ago key="success" at={endpoint.health.last_success_at} /> : t('never')],
      [t('fact.created'), <Time key="created" at={endpoint.created_at} />],
      ...Object.entries(endpoint.metadata).map(([name, value]) => [name, value] as const),
      ['ID', <code key="id">{endpoint.id}</code>],
    ]}
  />
);
