import { Link } from '@tanstack/react-router';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Ago, Time } from '../../ui/time.tsx';

/** What is delivered, and when it is tried next. */
export const DeliveryFacts = ({ delivery }: { delivery: Resource<'Delivery'> }) => (
  <Facts
    rows={[
      [t('deliveries.resource'), <ResourceLink key="resource" id={delivery.resource_id} />],
      [t('deliveries.at'), <Time key="at" at={delivery.created_at} />],
      ...(delivery.next_attempt_at ? [[t('deliveries.nextAt'), <Ago key="next" at={delivery.next_attempt_at} />] as const] : []),
      [t('deliveries.eventId'), <code key="event">{delivery.event_id}</code>],
      ['ID', <code key="id">{delivery.id}</code>],
    ]}
  />
);

/** Pages of resources by the prefix of their ids. */
const pages: Record<string, string> = { inv: '/app/invoices', rcp: '/app/receipts', cust: '/app/customers', prod: '/app/products' };

function ResourceLink({ id }: { id: string }) {
  const page = pages[id.split('_')[0] ?? ''];
  const shown = <code>{id}</code>;
  return page ? <Link to={`${page}/${id}`}>{shown}</Link> : shown;
}
