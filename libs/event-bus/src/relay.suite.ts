import type { Type } from '@nestjs/common';
import { topics } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { embeddedEventStore } from '@svc/event-store';
import { temporaryEngine } from '@svc/event-store/testing/temporary-engine';
import { createIds, streamOf, systemClock } from '@svc/kernel';
import { consumer, untilTrue, type OpenBus } from './event-bus.suite.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { Source } from './publishing/start-relay.ts';

/** A service that stores events of invoices and publishes each of them. */
function invoicing() {
  const { engine, remove } = temporaryEngine();
  const [store, ids] = [embeddedEventStore(engine, systemClock), createIds(systemClock)];
  const documents = embeddedDocumentStore(engine, 'svc_invoicing');
  const publisher: Publisher<number> = {
    category: 'invoice',
    topics: [topics.invoice],
    initialState: 0,
    evolve: (count) => count + 1,
    publish: (_, version) => [{ topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { version } }],
  };
  const source = (holder: string): Source => ({
    source: 'other-service',
    documents,
    publishers: [publisher as Publisher],
    subscribing: {
      ...{ store, holder, clock: systemClock, logger: { warn: () => undefined, error: () => undefined } },
      ...{ checkpoints: documents.collection('checkpoints'), leases: documents.collection('leases') },
    },
  });
  let revision = -1n;
  return {
    source,
    remove,
    async store(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        const metadata = { v: 1, account: 'acct_1', env: 'test', actor: { type: 'system', id: 'test' }, command_id: ids.next() } as const;
        const event = { id: ids.next(), type: 'InvoiceChanged', data: {}, metadata };
        ({ revision } = await store.append(streamOf('invoice', 'test', 'acct_1', 'inv_a'), revision === -1n ? 'none' : revision, [event]));
      }
    },
  };
}

/** Every adapter of the bus relays what a service stores. */
export function relaySuite(name: string, open: (consumers: Type[]) => Promise<OpenBus>): void {
  describe(`a relay: ${name}`, () => {
    let fixture: OpenBus | undefined;
    afterEach(() => fixture?.close());

    test('relays what a service stores in its order, and goes on at its checkpoint', async () => {
      const seen = new Set<number>();
      fixture = await open([consumer('g', topics.invoice, (events) => events.forEach(({ sequence }) => seen.add(sequence)))]);
      const service = invoicing();
      await service.store(3);
      const first = fixture.bus.relay(service.source('first'));
      await untilTrue(fixture, async () => seen.size === 3);
      await service.store(2);
      await untilTrue(fixture, async () => seen.size === 5);
      const { bus } = fixture;
      const before = systemClock.now();
      await untilTrue(fixture, async () => (await bus.readUntil('g')) >= before);
      expect(await bus.readUntil('of nobody')).toBe(-Infinity);
      await first.stop();
      await service.store(1);
      const second = fixture.bus.relay(service.source('second'));
      await untilTrue(fixture, async () => seen.size === 6);
      await second.stop();
      service.remove();
      expect([...seen]).toEqual([1, 2, 3, 4, 5, 6]);
    });
  });
}
