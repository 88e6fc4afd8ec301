import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PartitionAssigners } from 'kafkajs';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { OutcomeUnknown, systemClock, UnknownEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { consumer, invoiceEvent } from '../event-bus.suite.ts';
import { MAX_EVENT_BYTES } from '../envelope.ts';
import { brokers, fromSource, KafkaFixture, ROOT } from '../testing/kafka-fixture.ts';
import { partitionOf } from './topics.ts';

/** A group finds its members anew within a minute, on a busy machine later; in milliseconds. */
const LONG = 200_000;

const invoices = topics.invoice;

describe('a group on Kafka', () => {
  let fixture: KafkaFixture;
  beforeEach(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.close());

  test('handles each event while members join and leave under load, those of a subject in order apart from repeats', async () => {
    const handled = new Map<string, number[]>();
    const by = { first: 0, second: 0 };
    const member = (name: keyof typeof by) =>
      consumer('g', invoices, async (events: PublicEvent[]) => {
        for (const { subject, sequence } of events) {
          if (sequence % 7 === 0) await systemClock.sleep(1);
          handled.set(subject, [...(handled.get(subject) ?? []), sequence]);
        }
        by[name] += events.length;
      });
    const first = await fixture.join([member('first')]);
    const subjects = Array.from({ length: 40 }, (_, n) => `inv_${n}`);
    let rounds = 0;
    let over = false;
    const publishing = (async () => {
      while (!over) {
        rounds += 1;
        await first.bus.publish(
          invoices,
          subjects.map((subject) => invoiceEvent(subject, rounds)),
        );
        await systemClock.sleep(20);
      }
    })();
    const shareOf = async (name: keyof typeof by): Promise<void> => {
      await until(() => by[name] > 50, LONG);
    };
    await shareOf('first');
    const second = await fixture.join([member('second')]);
    await shareOf('second');
    await second.leave();
    over = true;
    await publishing;
    await fixture.caughtUp();
    const inOrder = Array.from({ length: rounds }, (_, n) => n + 1);
    for (const subject of subjects) {
      let newest = 0;
      const anew = (handled.get(subject) ?? []).filter((sequence) => sequence > newest && (newest = sequence));
      expect(anew).toEqual(inOrder);
    }
  });

  test('a group that retries delays neither another group nor its own other partitions, and stays a member', async () => {
    let away = true;
    const seen: Record<string, string[]> = { retrying: [], steady: [] };
    const keep = (group: string, events: PublicEvent[]): void => void seen[group]?.push(...events.map(({ id }) => id));
    const retrying = consumer('retrying', invoices, (events) => {
      if (away && events.some(({ subject }) => subject === 'slow')) throw new OutcomeUnknown('its server does not answer');
      keep('retrying', events);
    });
    const { bus } = await fixture.join([retrying, consumer('steady', invoices, (events) => keep('steady', events))], {
      clock: systemClock,
    });
    const others = Array.from({ length: 30 }, (_, n) => `inv_${n}`).filter((subject) => partitionOf(subject) !== partitionOf('slow'));
    await bus.publish(invoices, [invoiceEvent('slow', 1), invoiceEvent('slow', 2)]);
    for (let n = 1; n <= 8; n += 1) {
      await bus.publish(
        invoices,
        others.map((subject) => invoiceEvent(subject, n)),
      );
      await systemClock.sleep(1_000); // in all longer than a session
    }
    const distinct = (group: string): number => new Set(seen[group]).size;
    await until(() => distinct('steady') >= 8 * others.length + 2 && distinct('retrying') >= 8 * others.length, LONG);
    expect(seen['retrying']?.some((id) => id.startsWith('evt_slow'))).toBe(false);
    expect(await bus.check()).toBe(true);
    away = false;
    await fixture.caughtUp();
    expect([...new Set(seen['retrying'])].slice(8 * others.length)).toEqual(['evt_slow_1', 'evt_slow_2']);
  });

  test('an event of nearly 1 MiB does not wait for the backlog of the other partitions', async () => {
    const inPartition = (wanted: number): string => {
      for (let n = 0; ; n += 1) if (partitionOf(`inv_${n}`) === wanted) return `inv_${n}`;
    };
    const [large, ...others] = Array.from({ length: 12 }, (_, n) => inPartition(n)) as [string, ...string[]];
    const sized = (subject: string, sequence: number, bytes: number) =>
      invoiceEvent(subject, sequence, { data: { text: 'x'.repeat(bytes) } });
    const { bus } = await fixture.join([]);
    for (let n = 1; n <= 40; n += 4)
      await bus.publish(
        invoices,
        others.flatMap((subject) => [0, 1, 2, 3].map((k) => sized(subject, n + k, 50_000))),
      );
    await bus.publish(invoices, [sized(large, 1, MAX_EVENT_BYTES - 1_000)]);
    // kafkajs requests the partitions in another order each time: several groups, since one may succeed by chance.
    const handled = new Map(Array.from({ length: 6 }, (_, n) => [`g${n}`, [] as string[]]));
    await fixture.join(
      [...handled].map(([group, seen]) => consumer(group, invoices, (all) => void seen.push(...all.map((one) => one.subject)))),
    );
    await fixture.caughtUp();
    for (const seen of handled.values()) {
      expect(new Set(seen).size).toBe(12);
      // The first fetch returns it, and at most 1 MiB of each other partition, which is 21 of these events.
      expect(seen.indexOf(large)).toBeLessThanOrEqual(21 * others.length);
    }
  });

  test('of two replicas, the one that knows an event handles what the other stores as dead letters, each subject in order', async () => {
    const subjects = Array.from({ length: 24 }, (_, n) => `inv_${n}`); // in all partitions, whichever member has them
    const done = new Map<string, number[]>();
    const release = (name: 'old' | 'next') =>
      consumer('rolling', invoices, async (events) => {
        for (const { subject, sequence } of events) {
          const stream = `invoice-test.acct_1.${subject}`;
          // From its second event on a stream holds events that the old release does not know.
          if (name === 'old' && sequence >= 2) throw new UnknownEvent({ stream, type: 'InvoiceMerged', metadata: { v: 1 } });
          await systemClock.sleep(1);
          done.set(subject, [...(done.get(subject) ?? []), sequence]);
        }
      });
    const old = await fixture.join([release('old')]);
    const publish = (sequence: number): Promise<void> =>
      old.bus.publish(
        invoices,
        subjects.map((subject) => invoiceEvent(subject, sequence)),
      );
    for (const sequence of [1, 2, 3]) await publish(sequence);
    await fixture.caughtUp();
    expect([done.size, new Set([...done.values()].flat())]).toEqual([subjects.length, new Set([1])]);
    await fixture.join([release('next')]);
    for (let sequence = 4; sequence <= 12; sequence += 1) {
      await publish(sequence);
      await systemClock.sleep(100);
    }
    const isDone = (): boolean => [...done.values()].every((sequences) => sequences.includes(12));
    await until(async () => isDone() && (await fixture.deadLetters('rolling').count({})) === 0, LONG);
    for (const sequences of done.values()) {
      let newest = 0;
      expect(sequences.filter((sequence) => sequence > newest && (newest = sequence))).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    }
  });

  test('the next member handles what a killed one had in work', async () => {
    const { bus } = await fixture.join([]);
    await bus.publish(invoices, [invoiceEvent('a', 1), invoiceEvent('a', 2)]);
    const child = spawn(process.execPath, fromSource('killed-member.ts'), {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', KAFKA_BROKERS: brokers().join(), NAMESPACE: fixture.namespace },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')]);
    expect(line).toContain('evt_a_1');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const seen: string[] = [];
    await fixture.join([consumer('g', invoices, (events) => void seen.push(...events.map(({ id }) => id)))]);
    await fixture.caughtUp();
    expect([...new Set(seen)]).toEqual(['evt_a_1', 'evt_a_2']);
  });

  test('a member that closes finishes its batches, which are not delivered again', async () => {
    const open = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const seen: string[] = [];
    const on = async (events: PublicEvent[]): Promise<void> => {
      begun.resolve();
      await open.promise;
      seen.push(...events.map(({ id }) => `first ${id}`));
    };
    const first = await fixture.join([consumer('g', invoices, on)]);
    await first.bus.publish(invoices, [invoiceEvent('a', 1)]);
    await begun.promise;
    const left = first.leave();
    const refusal = async (): Promise<unknown> => first.bus.publish(invoices, []).catch((error: unknown) => error);
    await until(async () => (await refusal()) !== undefined, LONG);
    open.resolve();
    await left;
    expect(String(await refusal())).toContain('closed');
    const second = await fixture.join([consumer('g', invoices, (events) => void seen.push(...events.map(({ id }) => `second ${id}`)))]);
    await second.bus.publish(invoices, [invoiceEvent('a', 2)]);
    await fixture.caughtUp();
    expect(seen).toEqual(['first evt_a_1', 'second evt_a_2']);
  });

  test('a process that has stopped consuming still publishes', async () => {
    const seen: string[] = [];
    const member = (name: string) => consumer('g', invoices, (events) => void seen.push(...events.map(({ id }) => `${name} ${id}`)));
    const first = await fixture.join([member('first')]);
    await first.bus.publish(invoices, [invoiceEvent('a', 1)]);
    await fixture.caughtUp();
    await first.bus.stopConsuming();
    await first.bus.publish(invoices, [invoiceEvent('a', 2)]);
    await first.leave();
    await fixture.join([member('second')]);
    await fixture.caughtUp();
    expect(seen).toEqual(['first evt_a_1', 'second evt_a_2']);
  });

  test('a member that closes ends its retries, and the next one retries', async () => {
    const tried = Promise.withResolvers<void>();
    const failing = consumer('g', invoices, () => {
      tried.resolve();
      throw new Error('not now');
    });
    const first = await fixture.join([failing], { clock: systemClock });
    await first.bus.publish(invoices, [invoiceEvent('a', 1)]);
    await tried.promise;
    await first.leave();
    expect(await fixture.deadLetters('g').count({})).toBe(0);
    const seen: string[] = [];
    await fixture.join([consumer('g', invoices, (events) => void seen.push(...events.map(({ id }) => id)))]);
    await fixture.caughtUp();
    expect(seen).toEqual(['evt_a_1']);
  });

  test('a new group starts at the beginning, an existing one where it stopped', async () => {
    const seen: Record<string, string[]> = { old: [], fresh: [] };
    const reading = (group: string) => consumer(group, invoices, (events) => void seen[group]?.push(...events.map(({ id }) => id)));
    const first = await fixture.join([reading('old')]);
    await first.bus.publish(invoices, [invoiceEvent('a', 1)]);
    await fixture.caughtUp();
    await first.leave();
    const second = await fixture.join([reading('old'), reading('fresh')]);
    await second.bus.publish(invoices, [invoiceEvent('a', 2)]);
    await fixture.caughtUp();
    expect(seen).toEqual({ old: ['evt_a_1', 'evt_a_2'], fresh: ['evt_a_1', 'evt_a_2'] });
  });

  test('a consumer that ends for good is reported and makes the process not ready', async () => {
    // Members without a common partition assigner cannot be in one group, and no retry helps.
    const named = (options: Parameters<typeof PartitionAssigners.roundRobin>[0]) => {
      const roundRobin = PartitionAssigners.roundRobin(options);
      const name = 'another';
      return { ...roundRobin, name, protocol: (of: { topics: string[] }) => ({ ...roundRobin.protocol(of), name }) };
    };
    const other = fixture.kafka.consumer({ groupId: fixture.topic('g'), partitionAssigners: [named] });
    await other.connect();
    await other.subscribe({ topics: [fixture.topic(invoices)] });
    await other.run({ eachMessage: async () => undefined });
    const { bus, crashes } = await fixture.join([consumer('g', invoices, () => undefined)]);
    await until(() => crashes.length > 0, LONG);
    expect(String(crashes[0])).toMatch(/protocol/);
    expect(await bus.check()).toBe('not a member of g');
    await other.disconnect();
  });
});
