import { Controller, type Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import { DocumentStoreUnavailable } from '@svc/document-store/unavailable';
import { Denied, DomainError, jsonNumber, OutcomeUnknown, systemClock, UnknownEvent } from '@svc/kernel';
import { register } from 'prom-client';
import { Consumes } from './consumes.ts';
import { deadLetterId, type DeadLetter, type DeadLetters } from './dead-letter.ts';
import { redriveDeadLetters } from './dead-letters/redrive.ts';
import type { EventBus } from './port.ts';
import { comesAfter, type BatchContext, type EventPosition } from './position.ts';
import { MAX_EVENT_BYTES } from './envelope.ts';

/** A bus with an app of these controllers listening to it. */
export interface OpenBus {
  bus: EventBus;
  deadLetters: DeadLetters;
  /** The positions that the publisher's store gives to these events. */
  stored(events: PublicEvent[]): Promise<bigint[]>;
  /** Names the end of the store of which the bus relays the events. */
  relaysFrom(head: () => Promise<bigint>): void;
  /** Resolves when all that was published has been handled or is a dead letter; may advance a fake clock for retries. */
  settle(publishing: Promise<void>): Promise<void>;
  /** Replaces this process with one of the next release that has these consumers. */
  replace(consumers: Type[]): Promise<void>;
  close(): Promise<void>;
}

/** A controller that passes each batch of a topic to `handle`. */
export function consumer(group: string, topic: Topic, handle: (events: PublicEvent[], context: BatchContext) => unknown): Type {
  @Controller()
  class Consumer {
    @Consumes({ group, topic })
    async on(@Payload() events: PublicEvent[], @Ctx() context: BatchContext): Promise<void> {
      await handle(events, context);
    }
  }
  return Consumer;
}

export const invoiceEvent = (subject: string, sequence: number, more: Partial<PublicEvent> = {}): PublicEvent => ({
  specversion: '1.0',
  id: `evt_${subject}_${sequence}`,
  source: 'invoicing',
  type: 'invoicing.invoice-updated.v1',
  subject,
  time: '2026-01-15T12:00:00.000Z',
  datacontenttype: 'application/json',
  env: 'test',
  account: 'acct_1',
  sequence,
  data: { id: subject, version: sequence },
  ...more,
});

const invoices = topics.invoice;
const nextType = 'invoicing.invoice-merged.v1';

/** The error of a release whose stream holds an event of the next one. */
const unknownIn = (stream: string): UnknownEvent => new UnknownEvent({ stream, type: 'InvoiceMerged', metadata: { v: 1 } });

/** An event with this many bytes of JSON. */
export function eventOf(bytes: number, subject: string, sequence: number): PublicEvent {
  const empty = invoiceEvent(subject, sequence, { data: { text: '' } });
  return invoiceEvent(subject, sequence, { data: { text: 'x'.repeat(bytes - JSON.stringify(empty).length) } });
}

/** The distinct names of what arrived, sorted: events of two subjects may arrive in any order and more than once. */
const distinct = (ids: string[]): string[] => [...new Set(ids)].sort();

/** Advances time until the condition holds. */
export async function untilTrue({ settle }: OpenBus, holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 100 && !(await holds()); n += 1) await settle(systemClock.sleep(50));
}

/** Every adapter of the bus passes these tests. Repeats are allowed at any time: the tests check what arrived, not how often. */
export function eventBusSuite(name: string, open: (consumers: Type[]) => Promise<OpenBus>): void {
  describe(`event bus: ${name}`, () => {
    let fixture: OpenBus | undefined;
    afterEach(() => fixture?.close());

    const deadLetterOf = async (group: string, event: unknown): Promise<DeadLetter | undefined> =>
      fixture?.deadLetters(group).get(deadLetterId(group, event));

    /** Publishes and waits for all retries. */
    const published = async (events: PublicEvent[], on: Topic = invoices): Promise<void> =>
      fixture?.settle(fixture.bus.publish(on, events));

    test('delivers the events of a subject in order, also when others between them fail', async () => {
      const seen: Record<string, number[]> = {};
      let failures = 3;
      const on = (events: PublicEvent[]): void => {
        for (const { subject, sequence } of events) {
          if (subject === 'b' && sequence === 2 && failures-- > 0) throw new Error('not now');
          const list = (seen[subject] ??= []);
          if (sequence > (list.at(-1) ?? 0)) list.push(sequence); // a repeat has been handled before
        }
      };
      fixture = await open([consumer('g', invoices, on)]);
      await published([invoiceEvent('a', 1), invoiceEvent('b', 1), invoiceEvent('b', 2), invoiceEvent('a', 2)]);
      await published([invoiceEvent('b', 3), invoiceEvent('a', 3), invoiceEvent('c', 1), invoiceEvent('b', 4)]);
      expect(seen).toEqual({ a: [1, 2, 3], b: [1, 2, 3, 4], c: [1] });
    });

    test('delivers every event to every group of its topics, and a failing group does not affect others', async () => {
      const seen = { steady: [] as string[], shaky: [] as string[], receipts: [] as string[] };
      let calls = 0;
      fixture = await open([
        consumer('steady', invoices, (events) => void seen.steady.push(...events.map(({ id }) => id))),
        consumer('shaky', invoices, (events) => {
          calls += 1;
          if (calls < 3) throw new Error('not now');
          seen.shaky.push(...events.map(({ id }) => id));
        }),
        consumer('steady', topics.receipt, (events) => void seen.receipts.push(...events.map(({ id }) => id))),
      ]);
      await published([invoiceEvent('a', 1), invoiceEvent('b', 1)]);
      await published([invoiceEvent('r', 1)], topics.receipt);
      const both = ['evt_a_1', 'evt_b_1'];
      expect([seen.steady, seen.shaky, seen.receipts].map(distinct)).toEqual([both, both, ['evt_r_1']]);
    });

    test('stores an event that keeps failing as a dead letter of its group with its origin, and continues with the rest', async () => {
      const seen: string[] = [];
      const tries: string[] = [];
      fixture = await open([
        consumer('strict', invoices, (events) => {
          for (const { id, subject } of events) {
            tries.push(id);
            if (subject === 'poison') throw new Error('total is not the sum of the lines');
          }
          seen.push(...events.map(({ id }) => id));
        }),
        consumer('lenient', invoices, () => undefined),
      ]);
      const poison = invoiceEvent('poison', 1);
      await published([invoiceEvent('a', 1), poison, invoiceEvent('b', 1)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_b_1']);
      expect(tries.filter((id) => id === poison.id).length).toBeGreaterThanOrEqual(4);
      const deadLetter = await deadLetterOf('strict', poison);
      expect(deadLetter).toMatchObject({ group: 'strict', topic: invoices, event: poison, error: 'total is not the sum of the lines' });
      expect(deadLetter?.origin).toContain(invoices);
      expect(deadLetter?.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(await deadLetterOf('lenient', poison)).toBeUndefined();
    });

    test.each([
      ['gets no answer to a write', new OutcomeUnknown('MongoDB does not answer')],
      ['gets no answer to a read', new DocumentStoreUnavailable('MongoDB does not answer')],
      ['is refused by a server', new Denied({ server: 'MongoDB', right: null, code: 18 })],
      ['needs another service, which is away', new DomainError('service_unavailable', 'Try later.')],
    ])('an event whose handler %s waits until it is handled, and is no dead letter', async (_what, error) => {
      const seen: string[] = [];
      let away = 5; // the batch, then its first event four times: a failure of its own would be a dead letter by now
      fixture = await open([
        consumer('patient', invoices, (events) => {
          if (away-- > 0) throw error;
          seen.push(...events.map(({ id }) => id));
        }),
      ]);
      const event = invoiceEvent('a', 1);
      await published([event, invoiceEvent('a', 2)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_a_2']);
      expect(await deadLetterOf('patient', event)).toBeUndefined();
    });

    test('a dead letter that holds a customer is found by the customer, and dead letters are counted', async () => {
      const failing = (): never => {
        throw new Error('never');
      };
      fixture = await open([consumer('fragile', topics.customer, failing), consumer('fragile', invoices, failing)]);
      const counted = async (): Promise<string | undefined> =>
        /^svc_dead_letters_total\{group="fragile",reason="failed"\} (\d+)$/m.exec(
          await register.getSingleMetricAsString('svc_dead_letters_total'),
        )?.[1];
      const [ana, invoice] = [invoiceEvent('cust_1', 1, { type: 'invoicing.customer-updated.v1' }), invoiceEvent('inv_1', 1)];
      await published([ana], topics.customer);
      await published([ana], topics.customer);
      await published([invoice]);
      expect(await Array.fromAsync(fixture.deadLetters('fragile').find({ subject: 'cust_1' }))).toMatchObject([{ event: ana }]);
      expect(await deadLetterOf('fragile', invoice)).toMatchObject({ subject: null });
      expect(await counted()).toBe('2');
    });

    test('stores unknown events with all later ones of their subject and delivers the rest; the next release handles the stored ones in order', async () => {
      const seen: string[] = [];
      const tried: string[] = [];
      const keep = (events: PublicEvent[]): void => void seen.push(...events.map(({ id }) => id));
      const old = consumer('rolling', invoices, (events) => {
        tried.push(...events.map(({ id }) => id));
        if (events.some(({ subject, sequence }) => subject === 'a' && sequence >= 2)) throw unknownIn('invoice-test.acct_1.a');
        keep(events);
      });
      fixture = await open([old]);
      await published([invoiceEvent('a', 1), invoiceEvent('a', 2), invoiceEvent('b', 1), invoiceEvent('a', 3)]);
      await published([invoiceEvent('a', 4), invoiceEvent('b', 2)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_b_1', 'evt_b_2']);
      expect(tried.filter((id) => id === 'evt_a_4')).toEqual([]);
      expect(await deadLetterOf('rolling', invoiceEvent('a', 2))).toMatchObject({ reason: 'unknown_type', event_subject: 'a' });
      expect(await deadLetterOf('rolling', invoiceEvent('a', 4))).toMatchObject({ reason: 'unknown_type' });
      expect(await register.getSingleMetricAsString('svc_dead_letters')).toContain(
        'svc_dead_letters{group="rolling",reason="unknown_type"} 3',
      );
      seen.length = 0;
      await fixture.replace([consumer('rolling', invoices, keep)]);
      await published([invoiceEvent('a', 5), invoiceEvent('b', 3)]);
      await untilTrue(fixture, async () => seen.includes('evt_a_5'));
      expect([...new Set(seen)].filter((id) => id.startsWith('evt_a'))).toEqual([2, 3, 4, 5].map((n) => `evt_a_${n}`));
      expect(await fixture.deadLetters('rolling').count({})).toBe(0);
    });

    test('an event of a type that this release does not know reaches no handler, waits with its subject, and is no failure', async () => {
      const seen: string[] = [];
      fixture = await open([consumer('older', invoices, (events) => void seen.push(...events.map(({ id }) => id)))]);
      const next = invoiceEvent('a', 2, { type: nextType });
      const version = invoiceEvent('c', 1, { type: 'invoicing.invoice-updated.v9' });
      await published([invoiceEvent('a', 1), next, invoiceEvent('a', 3), version, invoiceEvent('b', 1)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_b_1']);
      for (const event of [next, invoiceEvent('a', 3), version])
        expect(await deadLetterOf('older', event)).toMatchObject({ reason: 'unknown_type', event });
      await fixture.replace([consumer('older', invoices, (events) => void seen.push(...events.map(({ id }) => id)))]);
      await published([invoiceEvent('a', 4)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_b_1']);
    });

    test('a waiting event that fails when it is handled later does not stop the events behind it', async () => {
      const seen: string[] = [];
      fixture = await open([
        consumer('mending', invoices, () => {
          throw unknownIn('invoice-test.acct_1.a');
        }),
      ]);
      await published([invoiceEvent('a', 1), invoiceEvent('a', 2)]);
      await fixture.replace([
        consumer('mending', invoices, (events) => {
          if (events.some(({ sequence }) => sequence === 1)) throw new Error('never');
          seen.push(...events.map(({ id }) => id));
        }),
      ]);
      await untilTrue(fixture, async () => seen.length > 0);
      expect(distinct(seen)).toEqual(['evt_a_2']);
      expect(await deadLetterOf('mending', invoiceEvent('a', 1))).toMatchObject({ reason: 'failed', error: 'never', line: null });
    });

    test('an event larger than the limit becomes a dead letter of its publisher; all others of its batch and subject are delivered', async () => {
      const seen: string[] = [];
      fixture = await open([consumer('g', invoices, (events) => void seen.push(...events.map(({ id }) => id)))]);
      const large = eventOf(MAX_EVENT_BYTES + 1, 'a', 2);
      await published([invoiceEvent('a', 1), large, invoiceEvent('a', 3), invoiceEvent('b', 1), eventOf(MAX_EVENT_BYTES, 'c', 1)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_a_3', 'evt_b_1', 'evt_c_1']);
      const deadLetter = await deadLetterOf('invoicing.publishing', large);
      expect(deadLetter).toMatchObject({ reason: 'refused', topic: invoices, event_subject: 'a', event_type: large.type });
      expect(deadLetter?.error).toContain(String(MAX_EVENT_BYTES));
      expect(await deadLetterOf('g', large)).toBeUndefined();
      await published([large]);
      expect(await fixture.deadLetters('invoicing.publishing').count({ event_subject: 'a' })).toBe(1);
      expect(await register.getSingleMetricAsString('svc_dead_letters_total')).toMatch(
        /^svc_dead_letters_total\{group="invoicing.publishing",reason="refused"\} [1-9]/m,
      );
    });

    test('an erasure deletes the dead letters about the customer, also those that wait', async () => {
      const updated = (subject: string, sequence: number) => invoiceEvent(subject, sequence, { type: 'invoicing.customer-updated.v1' });
      const seen: string[] = [];
      fixture = await open([
        consumer('fragile', topics.customer, (events) => {
          if (events.some(({ subject, sequence }) => subject === 'cust_2' && sequence < 9)) throw unknownIn('customer-test.acct_1.cust_2');
          if (events.some(({ type }) => type.endsWith('updated.v1'))) throw new Error('never');
          seen.push(...events.map(({ id }) => id));
        }),
      ]);
      for (const subject of ['cust_1', 'cust_2', 'cust_3']) await published([updated(subject, 1)], topics.customer);
      expect(await fixture.deadLetters('fragile').count({ subject: { $in: ['cust_1', 'cust_2', 'cust_3'] } })).toBe(3);
      const erased = (subject: string) => invoiceEvent(subject, 9, { type: 'invoicing.customer-erased.v1' });
      await published([updated('cust_1', 2), erased('cust_1'), erased('cust_2')], topics.customer);
      expect(distinct(seen)).toEqual(['evt_cust_1_9', 'evt_cust_2_9']);
      expect(await Array.fromAsync(fixture.deadLetters('fragile').find({ subject: { $in: ['cust_1', 'cust_2'] } }))).toEqual([]);
      expect(await fixture.deadLetters('fragile').count({ subject: 'cust_3' })).toBe(1);
    });

    test.each<[string, unknown]>([
      ['not an object', 'just text'],
      ['not CloudEvents 1.0', { ...invoiceEvent('x', 1), specversion: '0.3' }],
      ['no id', { ...invoiceEvent('x', 1), id: undefined }],
      ['a type without a version', { ...invoiceEvent('x', 1), type: 'invoicing.invoice-updated' }],
      ['another environment', { ...invoiceEvent('x', 1), env: 'staging' }],
      ['no data', { ...invoiceEvent('x', 1), data: null }],
      ['an invalid sequence', { ...invoiceEvent('x', 1), sequence: '1' }],
    ])('a broken envelope becomes a dead letter and reaches no handler: %s', async (_what, broken) => {
      const seen: string[] = [];
      fixture = await open([consumer('g', invoices, (events) => void seen.push(...events.map(({ id }) => id)))]);
      const sent = JSON.parse(JSON.stringify(broken)) as PublicEvent;
      await published([invoiceEvent('a', 1), sent, invoiceEvent('b', 1)]);
      expect(distinct(seen)).toEqual(['evt_a_1', 'evt_b_1']);
      expect(await deadLetterOf('g', sent)).toMatchObject({
        event: sent,
        error: expect.stringContaining('envelope'),
      });
    });

    test('numbers with more digits than a double holds arrive unchanged', async () => {
      const amounts: string[] = [];
      const total = jsonNumber('12345678901234567.89');
      fixture = await open([consumer('g', invoices, (events) => void amounts.push(...events.map(({ data }) => JSON.stringify(data))))]);
      await published([invoiceEvent('a', 1, { data: { total } })]);
      expect(distinct(amounts)).toEqual(['{"total":12345678901234567.89}']);
    });

    test('publishing the same event twice is harmless', async () => {
      const facts = new Map<string, number>();
      fixture = await open([
        consumer('g', invoices, (events) => {
          for (const { subject, sequence } of events) {
            if (subject === 'poison') throw new Error('never');
            facts.set(subject, Math.max(sequence, facts.get(subject) ?? 0));
          }
        }),
      ]);
      const batch = [invoiceEvent('a', 1), invoiceEvent('poison', 1), invoiceEvent('a', 2)];
      await published(batch);
      await published(batch);
      expect(Object.fromEntries(facts)).toEqual({ a: 2 });
      expect(await deadLetterOf('g', batch[1])).toMatchObject({ version: 1 });
    });

    test('rejects publications after the bus has closed', async () => {
      fixture = await open([consumer('g', invoices, () => undefined)]);
      await fixture.close();
      await expect(fixture.bus.publish(invoices, [invoiceEvent('a', 1)])).rejects.toThrow('closed');
      fixture = undefined;
    });

    test('events published before `ends` was called do not come after it, later ones do, whatever their time', async () => {
      const positions = new Map<string, EventPosition>();
      let failures = 2; // the batch, then its first event: from here on events arrive one by one
      const on = (events: PublicEvent[], context: BatchContext): void => {
        if (failures-- > 0) throw new Error('not now');
        for (const [n, { id }] of events.entries()) {
          const { part, at } = context.positions[n] as EventPosition; // `end` holds only for the time of reading
          if (!positions.has(id)) positions.set(id, { part, at });
        }
      };
      const { bus, stored, settle } = (fixture = await open([consumer('g', invoices, on)]));
      const subjects = Array.from({ length: 30 }, (_, n) => `inv_${n}`);
      const publish = async (sequence: number, time: string): Promise<void> => {
        const events = subjects.map((subject) => invoiceEvent(subject, sequence, { time }));
        await settle(bus.publish(invoices, events, await stored(events)));
      };
      await publish(1, '2099-01-01T00:00:00.000Z');
      const first = await bus.ends(invoices);
      await publish(2, '2026-01-15T12:00:00.000Z');
      const second = await bus.ends(invoices);
      await publish(3, '2001-01-01T00:00:00.000Z');
      const after = (sequence: number) =>
        new Set(
          subjects.map((subject) => [first, second].map((ends) => comesAfter(ends, positions.get(`evt_${subject}_${sequence}`))).join()),
        );
      expect([1, 2, 3].map(after)).toEqual([new Set(['false,false']), new Set(['true,false']), new Set(['true,true'])]);
    });

    test("a dead letter keeps its event's position until it is handled or redriven", async () => {
      const positions = new Map<string, EventPosition | undefined>();
      const note = (events: PublicEvent[], context: BatchContext): void =>
        events.forEach(({ id }, n) => positions.set(id, context.positions[n]));
      const old = consumer('later', invoices, (events) => {
        if (events.some(({ subject }) => subject === 'a')) throw unknownIn('invoice-test.acct_1.a');
        throw new Error('never');
      });
      fixture = await open([old]);
      const publish = async (events: PublicEvent[]): Promise<void> => {
        const { bus, stored, settle } = fixture as OpenBus;
        await settle(bus.publish(invoices, events, await stored(events)));
      };
      await publish([invoiceEvent('a', 1), invoiceEvent('b', 1)]);
      const ends = await fixture.bus.ends(invoices);
      await publish([invoiceEvent('a', 2), invoiceEvent('b', 2)]);
      await fixture.replace([consumer('later', invoices, note)]);
      await untilTrue(fixture, async () => positions.has('evt_a_2'));
      const redriven = redriveDeadLetters(fixture.bus.deadLetters, 'later', { reason: 'failed' });
      await fixture.settle(redriven.then(() => undefined));
      expect(await redriven).toEqual({ redriven: 2, failed: 0, left: 0 });
      const after = (id: string): boolean | undefined => comesAfter(ends, positions.get(id));
      expect(['evt_a_1', 'evt_a_2', 'evt_b_1', 'evt_b_2'].map(after)).toEqual([false, true, false, true]);
    });

    test('accepts events of a topic without subscribers', async () => {
      fixture = await open([consumer('g', invoices, () => undefined)]);
      await published([invoiceEvent('a', 1)], topics.customer);
    });
  });
}
