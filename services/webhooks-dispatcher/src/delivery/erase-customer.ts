import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { CustomerResource } from '@svc/contracts/customer/resource';
import { changeEach } from '@svc/document-store';
import { parseExact } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import { deliveryId, type Delivery } from './delivery.ts';
import { isStored, type EventRow } from '../event/event.ts';

/** The personal data of a customer's body, as an erased customer has it. */
const ERASED = { name: null, email: null, phone: null, tax_id: null, tax_ids: [], address: null } satisfies Partial<CustomerResource>;

type Rows = Pick<WebhooksContext, 'events' | 'deliveries' | 'endpoints'>;

/**
 * Removes the personal data of an erased customer from the stored bodies of its events, and what endpoints replied to these, which may repeat them.
 * Idempotent: an event is found by its subject until all of it is done.
 */
export async function eraseCustomer(
  rows: Rows,
  { account, env, subject }: Pick<PublicEvent, 'account' | 'env' | 'subject'>,
): Promise<void> {
  const endpoints: string[] = [];
  for await (const { _id } of rows.endpoints.find({ account, env })) endpoints.push(_id);
  for await (const { _id } of rows.events.find({ subject })) await eraseReplies(rows, _id, endpoints);
  await changeEach<EventRow>(rows.events, { subject }, withoutData);
}

/** At most so many ids in one look. */
const AT_ONCE = 1_000;

async function eraseReplies({ deliveries }: Rows, event: string, endpoints: readonly string[]): Promise<void> {
  for (let n = 0; n < endpoints.length; n += AT_ONCE) {
    const ids = endpoints.slice(n, n + AT_ONCE).map((endpoint) => deliveryId(event, endpoint));
    await changeEach<Delivery>(deliveries, { _id: { $in: ids } }, withoutReplies);
  }
}

/** The version rises in any case: what an attempt that is under way would store of its reply is not stored, and the attempt is made again. */
function withoutReplies({ subject, attempts }: Delivery): Partial<Delivery> | undefined {
  if (subject === null) return undefined;
  return { subject: null, attempts: attempts.map((attempt) => ({ ...attempt, response_body: null })) };
}

function withoutData(row: EventRow): Partial<EventRow> | undefined {
  if (!isStored(row)) return undefined;
  const event = parseExact(row.body) as { data: object };
  return { body: JSON.stringify({ ...event, data: { ...event.data, ...ERASED } }), subject: null };
}
