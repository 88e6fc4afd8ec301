import type { DocumentStore } from '@svc/document-store';
import { createIds, iso } from '@svc/kernel';
import { customerCreated } from '@svc/webhooks-dispatcher/delivery/testing/rows';
import { eventIndexes, type EventRow, lastPosition, storedEvent } from '@svc/webhooks-dispatcher/event/event';
import { inWebhooks } from '../../e2e/testing/webhook-rows.ts';
import type { AttackFixture } from './fixture.ts';

const AT_ONCE = 1_000;

/** `ofOne`: of one customer, with rising sequences; else each of a customer of its own. */
interface Stored {
  count: number;
  ofOne?: boolean;
}

/**
 * Stores so many events of the attacker's test environment, one a millisecond until now, as no endpoint has received them. They are rows, since a
 * million requests would take half an hour. One process is killed for that, and started again. Returns the time of the first, and how long it took in milliseconds.
 */
export async function storeEvents(fixture: AttackFixture, { count, ofOne = false }: Stored): Promise<{ since: string; storedMs: number }> {
  const began = Date.now();
  const first = began - count - 1_000;
  const write = (documents: DocumentStore): Promise<void> => writeRows(documents, fixture.attacker.id, { first, count, ofOne });
  await inWebhooks(fixture.system, { kill: fixture.kill, write });
  return { since: iso(first), storedMs: Date.now() - began };
}

async function writeRows(
  documents: DocumentStore,
  account: string,
  { first, count, ofOne }: Required<Stored> & { first: number },
): Promise<void> {
  const events = documents.collection<EventRow>('events', { indexes: eventIndexes, texts: ['body'] });
  const end = await lastPosition(events, { account, env: 'test' });
  let at = first;
  const ids = createIds({ now: () => at });
  const only = ofOne ? `cust_${ids.next()}` : undefined;
  for (let done = 0; done < count; done += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, k): EventRow => {
      at += 1;
      const subject = only ?? `cust_${ids.next()}`;
      const data = { id: subject, name: `Customer ${done + k}`, email: `customer-${done + k}@shop.example`, note: 'x'.repeat(300) };
      const sequence = ofOne ? done + k + 1 : 1;
      const event = { ...customerCreated, id: `evt_${ids.next()}`, account, subject, sequence, time: iso(at), data };
      return { ...storedEvent({ event, type: 'customer.created' }), log_position: end + done + k + 1 };
    });
    await events.write(rows.map((insert) => ({ insert })));
  }
}
