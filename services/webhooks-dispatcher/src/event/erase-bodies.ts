import type { CustomerResource } from '@svc/contracts/customer/resource';
import { changeEach } from '@svc/document-store';
import { parseExact } from '@svc/kernel';
import { isStored, type EventRow, type Events } from './event.ts';

/** The personal data of a customer's body, as an erased customer has it. */
const ERASED = { name: null, email: null, phone: null, tax_id: null, address: null } satisfies Partial<CustomerResource>;

/** Removes the personal data of an erased customer from the stored bodies of its events. Idempotent. */
export const eraseBodies = (events: Events, customer: string): Promise<void> => changeEach<EventRow>(events, { subject: customer }, erased);

function erased(row: EventRow): Partial<EventRow> | undefined {
  if (!isStored(row)) return undefined;
  const event = parseExact(row.body) as { data: object };
  return { body: JSON.stringify({ ...event, data: { ...event.data, ...ERASED } }), subject: null };
}
