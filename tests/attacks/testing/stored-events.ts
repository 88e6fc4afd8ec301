import { join } from 'node:path';
import { embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import { openMongo } from '@svc/document-store/mongodb/open';
import { Engine } from '@svc/embedded';
import { createIds, iso } from '@svc/kernel';
import { customerCreated } from '@svc/webhooks-dispatcher/delivery/testing/rows';
import { eventIndexes, type EventRow, lastPosition, storedEvent } from '@svc/webhooks-dispatcher/event/event';
import type { AttackFixture } from './fixture.ts';

const AT_ONCE = 1_000;

/**
 * Stores so many events of the attacker's test environment, one a millisecond until now, each of a customer of its own, as no endpoint has received them. They are rows, since a
 * million requests would take half an hour. One process is killed for that, and started again. Returns the time of the first, and how long it took in milliseconds.
 */
export async function storeEvents(fixture: AttackFixture, count: number): Promise<{ since: string; storedMs: number }> {
  const began = Date.now();
  const first = began - count - 1_000;
  const write = (documents: DocumentStore): Promise<void> => writeRows(documents, fixture.attacker.id, { first, count });
  const { servers, dataDir } = fixture.system;
  if (servers) await inMongo(servers, write);
  else await fixture.kill(() => inFolder(join(dataDir, 'data'), write));
  return { since: iso(first), storedMs: Date.now() - began };
}

async function inFolder(folder: string, work: (documents: DocumentStore) => Promise<void>): Promise<void> {
  const engine = Engine.open(folder);
  try {
    await work(embeddedDocumentStore(engine, 'svc_webhooks'));
  } finally {
    engine.close();
  }
}

async function inMongo(
  { mongodbUrl: url, namespace }: NonNullable<AttackFixture['system']['servers']>,
  work: (documents: DocumentStore) => Promise<void>,
): Promise<void> {
  const mongo = openMongo({ url, namespace, logger: console });
  try {
    await work(mongo.database('svc_webhooks'));
  } finally {
    await mongo.close();
  }
}

async function writeRows(documents: DocumentStore, account: string, { first, count }: { first: number; count: number }): Promise<void> {
  const events = documents.collection<EventRow>('events', { indexes: eventIndexes, texts: ['body'] });
  const end = await lastPosition(events, { account, env: 'test' });
  let at = first;
  const ids = createIds({ now: () => at });
  for (let done = 0; done < count; done += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, k): EventRow => {
      at += 1;
      const subject = `cust_${ids.next()}`;
      const data = { id: subject, name: `Customer ${done + k}`, email: `customer-${done + k}@shop.example`, note: 'x'.repeat(300) };
      const event = { ...customerCreated, id: `evt_${ids.next()}`, account, subject, time: iso(at), data };
      return { ...storedEvent({ event, type: 'customer.created' }), log_position: end + done + k + 1 };
    });
    await events.write(rows.map((insert) => ({ insert })));
  }
}
