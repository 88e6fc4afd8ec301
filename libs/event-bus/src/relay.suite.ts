import type { Type } from '@nestjs/common';
import { topics } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { embeddedEventStore } from '@svc/event-store';
import { temporaryEngine } from '@svc/event-store/testing/temporary-engine';
import { createIds, streamOf, systemClock, type Clock } from '@svc/kernel';
import { consumer, untilTrue, type OpenBus } from './event-bus.suite.ts';
import { dropDeadLetters } from './dead-letters/redrive.ts';
import type { Publisher } from './publishing/publisher.ts';
import { NOTHING_READ } from './publishing/mark.ts';
import type { Source } from './publishing/start-relay.ts';

/** A service that stores events of invoices and publishes each of them. */
function invoicing() {
  const { engine, remove } = temporaryEngine();
  const [store, ids] = [embeddedEventStore(engine, systemClock), createIds(systemClock)];
  const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };
  const documents = embeddedDocumentStore(engine, 'svc_invoicing');
  const publisher: Publisher<number> = {
    category: 'invoice',
    topics: [topics.invoice],
    initialState: 0,
    evolve: (count) => count + 1,
    publish({ type }, version) {
      if (type === 'InvoiceBroken') throw new Error('cannot be shown');
      return [{ topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { version } }];
    },
  };
  const source = (holder: string): Source => ({
    source: 'other-service',
    documents,
    publishers: [publisher as Publisher],
    marks: topics.published,
    subscribing: {
      ...{ store, holder, clock, logger: { warn: () => undefined, error: () => undefined } },
      ...{ checkpoints: documents.collection('checkpoints'), leases: documents.collection('leases') },
    },
  });
  let revision = -1n;
  return {
    source,
    remove,
    head: () => store.head(),
    async store(count: number, type = 'InvoiceChanged'): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        const metadata = { v: 1, account: 'acct_1', env: 'test', actor: { type: 'system', id: 'test' }, command_id: ids.next() } as const;
        const event = { id: ids.next(), type, data: {}, metadata };
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
      await untilTrue(fixture, async () => (await bus.readUntil('g')).published >= before);
      expect(await bus.readUntil('without a reader')).toEqual(NOTHING_READ);
      await first.stop();
      await service.store(1);
      const second = fixture.bus.relay(service.source('second'));
      await untilTrue(fixture, async () => seen.size === 6);
      await second.stop();
      service.remove();
      expect([...seen]).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('what is stored is not read before it is published; what cannot be published is put aside', async () => {
      const opened = await open([consumer('g', topics.invoice, () => undefined), consumer('g', topics.published, () => undefined)]);
      const { bus } = (fixture = opened);
      const service = invoicing();
      opened.relaysFrom(service.head);
      const read = () => bus.readUntil('g');
      const readsBeyond = (time: number) => untilTrue(opened, async () => (await read()).stored > time);
      await service.store(2);
      const first = bus.relay(service.source('first'));
      await readsBeyond(-Infinity);
      expect(await read()).toMatchObject({ stored: expect.any(Number), putAside: {} });
      await first.stop();
      const storedAt = systemClock.now();
      await service.store(1);
      await untilTrue(opened, async () => systemClock.now() > storedAt + 2_000);
      const behind = (await read()).stored;
      expect(behind).toBeLessThan(storedAt);
      const second = bus.relay(service.source('second'));
      await readsBeyond(behind);
      await service.store(1, 'InvoiceBroken');
      await untilTrue(opened, async () => Object.keys((await read()).putAside).length > 0);
      const { putAside } = await read();
      expect([Object.keys(putAside), (putAside['test.acct_1'] ?? 0) >= storedAt]).toEqual([['test.acct_1'], true]);
      await dropDeadLetters(bus.deadLetters, 'other-service.publishing', {}, async () => undefined);
      await untilTrue(opened, async () => Object.keys((await read()).putAside).length === 0);
      expect((await read()).putAside).toEqual({});
      await second.stop();
      service.remove();
    });
  });
}
