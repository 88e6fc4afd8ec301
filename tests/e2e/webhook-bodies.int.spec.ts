import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { goldenEvents, goldenStreams } from '@svc/contracts/testing/golden';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createRelay } from '@svc/event-bus/publishing/relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import { documentSubjectKeys, embeddedEventStore, type SubjectKey } from '@svc/event-store';
import { encryptedStore, eventsIn } from '@svc/invoicing';
import { createCustomers, customerStream } from '@svc/invoicing/customer/customers';
import { publishers } from '@svc/invoicing/registrations';
import { createIds, iso, systemClock as clock, type Recorded } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing } from '@svc/service';
import { bodiesFromStreams, storedBodies, type EventBodies } from '@svc/webhooks-dispatcher';
import { eventBodiesSuite, type PublishedFixture } from '@svc/webhooks-dispatcher/event/bodies.suite';
import { embeddedPorts, type SystemPorts } from '@svc/standalone/compose';

const golden = ['customer', 'invoice', 'receipt'].flatMap((category) => goldenStreams('invoicing', category));

/** What releases stored, published by this one. */
async function published(open: (store: ReturnType<typeof encryptedStore>) => EventBodies): Promise<PublishedFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-bodies-'));
  const engine = Engine.open(folder, { durable: false });
  const logger = createLogger({ level: 'silent', service: 'standalone' });
  const documents = embeddedDocumentStore(engine, 'svc_invoicing');
  const secrets = parseKeyRing(newKeyRing());
  const eventStore = embeddedEventStore(engine, clock, logger);
  const openStore = () => encryptedStore({ eventStore, documents, secrets, clock, logger });
  const store = openStore();
  for (const { stream, events } of golden) await store.append(stream, 'none', events);

  async function relayed(recorded: readonly Recorded[]): Promise<PublicEvent[]> {
    const all: PublicEvent[] = [];
    const publish = async (topic: string, events: PublicEvent[]) => void (topic !== topics.registration && all.push(...events));
    await createRelay({ source: 'invoicing', store: openStore(), publishers, deadLetters: deadLettersIn(documents), publish })([
      ...recorded,
    ]);
    return all;
  }

  const customer = golden.find(({ events }) => events.some(({ type }) => type === 'CustomerUpdated'))?.stream ?? '';
  const [, account = '', id = ''] = customer.split('.');
  return {
    events: await relayed((await Promise.all(golden.map(({ stream }) => store.read(stream)))).flat()),
    customer: id,
    open: () => open(openStore()),
    async erase() {
      const command = { type: 'erase', at: iso(clock.now()) } as const;
      const of = customerStream(account, 'test', id);
      await createCustomers({ store, ids: createIds(clock) }).handle(of, () => command, { account, env: 'test' });
      await documentSubjectKeys({ collection: documents.collection<SubjectKey>('subject_keys'), secrets, clock }).destroy(id);
      return relayed(await openStore().tail(of, 1));
    },
    close() {
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

eventBodiesSuite('stored in the rows', () => published(() => storedBodies));
eventBodiesSuite('made from the streams', () => published((store) => bodiesFromStreams(eventsIn(store))));

test('events that no endpoint receives are stored without their bodies on the embedded event store alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-bodies-'));
  const engine = Engine.open(folder, { durable: false });
  const logger = createLogger({ level: 'silent', service: 'standalone' });
  const [event] = goldenEvents(topics.invoice) as [PublicEvent];
  const stored = (ports: Pick<SystemPorts, 'bodies'>): object =>
    ports.bodies(async () => ({ events: new Map(), bytes: 0 })).undelivered({ event, type: 'invoice.created' });
  const embedded = embeddedPorts({ engine, clock, logger });
  expect(stored(embedded)).not.toHaveProperty('body');
  expect(stored(embeddedPorts({ engine, clock, logger }, undefined, embedded.eventStore))).toHaveProperty('body');
  engine.close();
  rmSync(folder, { recursive: true });
});
