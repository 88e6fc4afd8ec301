import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { documentDeadLetters, type DeadLetters } from './dead-letter.ts';
import { fullDeadLetters } from './testing/full-dead-letters.ts';
import { EmbeddedBus } from './embedded-bus.ts';
import { consumer, eventBusSuite, invoiceEvent, type OpenBus } from './event-bus.suite.ts';
import { relaySuite } from './relay.suite.ts';

interface OpenEmbeddedBus extends OpenBus {
  bus: EmbeddedBus;
  clock: FakeClock;
  listen(): Promise<void>;
  /** Advances the bus's clock by this much and runs what is ready. */
  passTime(ms: number): Promise<void>;
}

const RETRIES_OVER_MS = 8_000;

async function connected(consumers: Type[], given?: DeadLetters): Promise<OpenEmbeddedBus> {
  const folder = mkdtempSync(join(tmpdir(), 'event-bus-'));
  const engine = Engine.open(folder, { durable: false });
  const deadLetters = given ?? documentDeadLetters(embeddedDocumentStore(engine, 'svc_test'));
  const clock = new FakeClock();
  let stored = 0n;
  let head = async (): Promise<bigint> => stored;
  const logger = { warn: () => undefined, error: () => undefined };
  const start = async (of: Type[]) => {
    const bus = new EmbeddedBus({ clock, logger, deadLetters, head: () => head() });
    class Root {}
    const settings = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.create({ module: Root, controllers: of }, new FastifyAdapter(), settings);
    app.connectMicroservice({ strategy: bus });
    await app.init();
    return { bus, app };
  };
  const remove = (): void => {
    engine.close();
    rmSync(folder, { recursive: true });
  };
  let running = await start(consumers).catch((error: unknown) => {
    remove();
    throw error;
  });
  const passTime = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 100) await clock.advance(100);
  };
  return {
    relaysFrom: (of) => void (head = of),
    get bus() {
      return running.bus;
    },
    clock,
    listen: async () => void (await running.app.startAllMicroservices()),
    deadLetters,
    passTime,
    stored: async (events) => events.map(() => (stored += 1n)),
    async settle(publishing) {
      await passTime(RETRIES_OVER_MS);
      await publishing;
    },
    async replace(by) {
      await running.app.close();
      running = await start(by);
      await running.app.startAllMicroservices();
    },
    async close() {
      await running.app.close();
      remove();
    },
  };
}

async function listening(consumers: Type[], deadLetters?: DeadLetters): Promise<OpenEmbeddedBus> {
  const fixture = await connected(consumers, deadLetters);
  await fixture.listen();
  return fixture;
}

eventBusSuite('embedded', listening);
relaySuite('embedded', listening);

describe('the embedded bus', () => {
  let fixture: OpenEmbeddedBus;
  afterEach(() => fixture.close());

  /** A handler that waits until it is released. */
  const held = () => {
    const open = Promise.withResolvers<void>();
    const seen: string[] = [];
    const on = async (events: PublicEvent[]): Promise<void> => {
      await open.promise;
      seen.push(...events.map(({ id }) => id));
    };
    return { on, seen, open: open.resolve };
  };

  test('publish resolves when every group has handled the batch, and groups do not wait for each other', async () => {
    const slow = held();
    const quick = held();
    quick.open();
    fixture = await listening([consumer('slow', topics.invoice, slow.on), consumer('quick', topics.invoice, quick.on)]);
    let resolved = false;
    const done = fixture.bus.publish(topics.invoice, [invoiceEvent('a', 1)]).then(() => (resolved = true));
    await settleTurns();
    expect([resolved, quick.seen]).toEqual([false, ['evt_a_1']]);
    slow.open();
    await done;
    expect(slow.seen).toEqual(['evt_a_1']);
  });

  test('handles batches of one topic in sequence, in the order of publishing', async () => {
    const slow = held();
    fixture = await listening([consumer('g', topics.invoice, slow.on)]);
    const both = [fixture.bus.publish(topics.invoice, [invoiceEvent('a', 1)]), fixture.bus.publish(topics.invoice, [invoiceEvent('a', 2)])];
    slow.open();
    await Promise.all(both);
    expect(slow.seen).toEqual(['evt_a_1', 'evt_a_2']);
  });

  test('retries an event after 200 ms, 1 s and 5 s', async () => {
    const at: number[] = [];
    const failing = consumer('g', topics.invoice, () => {
      at.push(fixture.clock.now());
      throw new Error('not now');
    });
    fixture = await listening([failing]);
    await fixture.settle(fixture.bus.publish(topics.invoice, [invoiceEvent('a', 1)]));
    expect(at.slice(1).map((time) => time - (at[0] ?? 0))).toEqual([0, 200, 1_200, 6_200]);
  });

  test('publish waits until the app listens, when all groups are known', async () => {
    const seen: string[] = [];
    fixture = await connected([consumer('g', topics.invoice, (events) => seen.push(...events.map(({ id }) => id)))]);
    const done = fixture.bus.publish(topics.invoice, [invoiceEvent('a', 1)]);
    await settleTurns();
    expect(seen).toEqual([]);
    await fixture.listen();
    await done;
    expect(seen).toEqual(['evt_a_1']);
  });

  test('closing waits for running handlers, ends retries, and rejects later publications', async () => {
    const slow = held();
    fixture = await listening([
      consumer('slow', topics.invoice, slow.on),
      consumer('failing', topics.receipt, () => Promise.reject(new Error('not now'))),
    ]);
    const handled = fixture.bus.publish(topics.invoice, [invoiceEvent('a', 1)]);
    const retried = fixture.bus.publish(topics.receipt, [invoiceEvent('r', 1)]);
    const settled = Promise.allSettled([handled, retried]);
    await settleTurns();
    let over = false;
    const closing = fixture.bus.close().then(() => (over = true));
    await settleTurns();
    expect(over).toBe(false);
    slow.open();
    await closing;
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await fixture.deadLetters('failing').get('failing:evt_r_1')).toBeUndefined();
    await expect(fixture.bus.publish(topics.invoice, [invoiceEvent('a', 2)])).rejects.toThrow('closed');
  });

  test('publishes to a new group only', async () => {
    const seen = { old: [] as string[], fresh: [] as string[] };
    fixture = await listening([
      consumer('old', topics.invoice, (events) => seen.old.push(...events.map(({ id }) => id))),
      consumer('fresh', topics.invoice, (events) => seen.fresh.push(...events.map(({ id }) => id))),
    ]);
    expect(fixture.bus.groups()).toEqual([
      { group: 'old', topic: topics.invoice },
      { group: 'fresh', topic: topics.invoice },
    ]);
    await fixture.bus.publishTo('fresh', topics.invoice, [invoiceEvent('a', 1)]);
    expect(seen).toEqual({ old: [], fresh: ['evt_a_1'] });
    await expect(fixture.bus.publishTo('fresh', topics.receipt, [invoiceEvent('r', 1)])).rejects.toThrow('not subscribed');
  });

  test('publish rejects when an event can neither be handled nor stored as a dead letter', async () => {
    fixture = await listening([consumer('g', topics.invoice, () => Promise.reject(new Error('never')))], fullDeadLetters);
    const done = expect(fixture.bus.publish(topics.invoice, [invoiceEvent('a', 1)])).rejects.toThrow('disk full');
    await fixture.passTime(7_000);
    await done;
  });

  test('rejects two handlers of one group on one topic, which Nest would chain', async () => {
    fixture = await listening([]);
    const twice = [consumer('g', topics.invoice, () => undefined), consumer('g', topics.invoice, () => undefined)];
    await expect(connected(twice)).rejects.toThrow('two handlers');
  });

  test('rejects a pattern without a group', async () => {
    fixture = await listening([]);
    @Controller()
    class Loose {
      @EventPattern(topics.invoice)
      on(events: PublicEvent[]): number {
        return events.length;
      }
    }
    await expect(connected([Loose])).rejects.toThrow('{ group, topic }');
  });
});
