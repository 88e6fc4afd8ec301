import { register } from 'prom-client';
import kafkajs from 'kafkajs';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { deadLetterId } from '../dead-letter.ts';
import { fullDeadLetters } from '../testing/full-dead-letters.ts';
import { consumer, eventBusSuite, invoiceEvent } from '../event-bus.suite.ts';
import { relaySuite } from '../relay.suite.ts';
import { asOf, comesAfter, needsEnds, type BatchContext } from '../position.ts';
import { KafkaBus } from './kafka-bus.ts';
import { brokers, createTopic, KafkaFixture, openKafkaFixture, quiet } from '../testing/kafka-fixture.ts';
import { createPublisher } from './publisher.ts';
import { createTopics, inNamespace, partitionOf } from './topics.ts';

/** A group finds its members anew within a minute, on a busy machine later; in milliseconds. */
const LONG = 200_000;

eventBusSuite('kafka', openKafkaFixture);
relaySuite('kafka', openKafkaFixture);

const invoices = topics.invoice;
const sized = (subject: string, sequence: number, bytes: number): PublicEvent =>
  invoiceEvent(subject, sequence, { data: { text: 'x'.repeat(bytes) } });

describe('publishing to Kafka', () => {
  let fixture: KafkaFixture;
  beforeEach(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.close());

  test('thousands of events published concurrently arrive in order for each subject', async () => {
    const seen = new Map<string, number[]>();
    const on = (events: PublicEvent[]): void => {
      for (const { subject, sequence } of events) seen.set(subject, [...(seen.get(subject) ?? []), sequence]);
    };
    const { bus } = await fixture.join([consumer('g', invoices, on)]);
    const subjects = Array.from({ length: 60 }, (_, n) => `inv_${n}`);
    const rounds = Array.from({ length: 100 }, (_, n) => subjects.map((subject) => invoiceEvent(subject, n + 1)));
    await Promise.all(rounds.map((events) => bus.publish(invoices, events)));
    await fixture.caughtUp();
    const inOrder = Array.from({ length: 100 }, (_, n) => n + 1);
    expect([...seen.keys()].sort()).toEqual([...subjects].sort());
    for (const sequences of seen.values()) expect([...new Set(sequences)]).toEqual(inOrder);
  });

  test('publishes more events of one subject than a batch holds, and an event of 900 KiB', async () => {
    const seen: number[] = [];
    const { bus } = await fixture.join([consumer('g', invoices, (events) => void seen.push(...events.map(({ sequence }) => sequence)))]);
    await bus.publish(
      invoices,
      Array.from({ length: 30 }, (_, n) => sized('a', n, 100_000)),
    );
    await bus.publish(invoices, [sized('a', 30, 900 * 1_024)]);
    await fixture.caughtUp();
    expect([...new Set(seen)]).toEqual(Array.from({ length: 31 }, (_, n) => n));
  });

  test('an event below our limit that the broker rejects becomes a dead letter; the rest of its batch is published in order', async () => {
    const seen: number[] = [];
    const { bus } = await fixture.join([consumer('g', invoices, (events) => void seen.push(...events.map(({ sequence }) => sequence)))]);
    const configEntries = [{ name: 'max.message.bytes', value: '50000' }];
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: fixture.topic(invoices), configEntries };
    await fixture.admin.alterConfigs({ validateOnly: false, resources: [resource] });
    const batch = [sized('a', 1, 10_000), sized('a', 2, 60_000), sized('a', 3, 10_000), sized('a', 4, 10_000)];
    while ((await fixture.deadLetters('invoicing.publishing').count({})) === 0) await bus.publish(invoices, batch);
    await fixture.caughtUp();
    expect([...new Set(seen)].filter((sequence) => sequence !== 2)).toEqual([1, 3, 4]);
    const deadLetters = await Array.fromAsync(fixture.deadLetters('invoicing.publishing').find({}));
    expect(deadLetters.map(({ event, reason }) => [(event as PublicEvent).sequence, reason])).toEqual([[2, 'refused']]);
  });

  test('a publication that one partition rejects fails, though other partitions have their part', async () => {
    const topic = fixture.topic('narrow');
    await createTopic(fixture.admin, { topic, numPartitions: 6 });
    const producer = fixture.kafka.producer({ createPartitioner: () => (send) => send.message.partition as number });
    await producer.connect();
    const subjects = Array.from({ length: 40 }, (_, n) => `inv_${n}`);
    const publication = createPublisher(producer)(
      topic,
      subjects.map((subject) => invoiceEvent(subject, 1)),
      () => Promise.reject(new Error('refused')),
    );
    await expect(publication).rejects.toThrow(/narrow\[\d+\] took nothing/);
    const written = await fixture.admin.fetchTopicOffsets(topic);
    expect(written.reduce((sum, { high }) => sum + Number(high), 0)).toBe(subjects.filter((subject) => partitionOf(subject) < 6).length);
    await producer.disconnect();
    await fixture.admin.deleteTopics({ topics: [topic] });
  });

  test('without its topics it does not connect or publish, is not ready, and says what to do', async () => {
    const namespace = `${fixture.namespace}x`;
    const nowhere = { brokers: brokers(), namespace, clientId: 'tests', publishes: [invoices], clock: systemClock, logger: quiet };
    const bus = new KafkaBus({ ...nowhere, deadLetters: fixture.deadLetters, crashed: () => undefined });
    const missing = `topic ${namespace}.${invoices} is missing: create it with npm run topics`;
    expect(await bus.check()).toBe(missing);
    await expect(bus.ends(invoices)).rejects.toThrow(missing);
    await expect(bus.connect()).rejects.toThrow(missing);
    await expect(bus.publish(invoices, [invoiceEvent('a', 1)])).rejects.toThrow(missing);
    await bus.close();
    const { bus: other } = await fixture.join([]);
    const unknown = other.publish('invoicing.other', [invoiceEvent('a', 1)]);
    await expect(unknown).rejects.toThrow('invoicing.other is missing: create it with npm run topics');
  });

  test('it is ready with the topics that it publishes to and consumes, while others are missing', async () => {
    const namespace = `${fixture.namespace}y`;
    const only = [topics.invoice, topics.receipt];
    await createTopics({ brokers: brokers(), namespace, replicas: 1, only });
    const bus = new KafkaBus({
      ...{ brokers: brokers(), namespace, clientId: 'tests', publishes: [topics.invoice], clock: systemClock, logger: quiet },
      deadLetters: fixture.deadLetters,
      crashed: () => undefined,
    });
    bus.addHandler({ group: 'g', topic: topics.receipt }, () => Promise.resolve(), true);
    expect(await bus.check()).toBe(true);
    bus.addHandler({ group: 'g', topic: topics.customer }, () => Promise.resolve(), true);
    expect(await bus.check()).toContain(`topic ${namespace}.${topics.customer} is missing`);
    await bus.close();
    await fixture.admin.deleteTopics({ topics: only.map((topic) => inNamespace(namespace, topic)) });
  });
});

describe('consuming from Kafka', () => {
  let fixture: KafkaFixture;
  beforeEach(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.close());

  test('an event in work when `ends` was called is earlier, until its topic is deleted and created again', async () => {
    const positions: BatchContext['positions'][number][] = [];
    const on = (_events: PublicEvent[], context: BatchContext): void => void positions.push(...context.positions);
    const member = await fixture.join([consumer('g', invoices, on)]);
    await member.bus.publish(invoices, [invoiceEvent('a', 1)]);
    await fixture.caughtUp();
    await member.leave();
    const { bus } = await fixture.join([]);
    await bus.publish(invoices, [invoiceEvent('a', 2)]);
    const ends = await bus.ends(invoices);
    const [position] = positions;
    expect([needsEnds(ends, position), comesAfter(ends, asOf(await bus.ends(invoices), position))]).toEqual([true, false]);

    await fixture.admin.deleteTopics({ topics: [fixture.topic(invoices)] });
    await createTopic(fixture.admin, { topic: fixture.topic(invoices), numPartitions: 12 });
    const isAnew = async (): Promise<boolean> => Object.values(await bus.ends(invoices)).every((end) => end === '0');
    await until(() => isAnew().catch(() => false), LONG);
    expect(comesAfter(ends, asOf(await bus.ends(invoices), position))).toBeUndefined();
  });

  test('a dead letter names its place in the log; a message that is no JSON becomes one, a tombstone does not', async () => {
    const seen: string[] = [];
    const on = (events: PublicEvent[]): void => {
      if (events.some(({ sequence }) => sequence === 2)) throw new Error('never');
      seen.push(...events.map(({ id }) => id));
    };
    const { bus } = await fixture.join([consumer('g', topics.customer, on)]);
    await bus.publish(
      topics.customer,
      [1, 2, 3].map((n) => invoiceEvent('cust', n)),
    );
    const producer = fixture.kafka.producer();
    await producer.connect();
    const topic = fixture.topic(topics.customer);
    const partition = partitionOf('cust');
    await producer.send({ topic, messages: [null, '{"specversion"'].map((value) => ({ key: 'cust', value, partition })) });
    await producer.disconnect();
    await bus.publish(topics.customer, [invoiceEvent('cust', 4)]);
    await fixture.caughtUp();
    expect([...new Set(seen)]).toEqual(['evt_cust_1', 'evt_cust_3', 'evt_cust_4']);
    const deadLetters = await Array.fromAsync(fixture.deadLetters('g').find({}));
    expect(deadLetters.map(({ event, origin }) => [(event as PublicEvent).id ?? event, origin]).sort()).toEqual([
      ['evt_cust_2', `kafka:${topic}[${partition}]@1`],
      ['{"specversion"', `kafka:${topic}[${partition}]@4`],
    ]);
  });

  test('an event that can neither be handled nor stored stops only its partition until it can', async () => {
    const seen: string[] = [];
    let broken = true;
    const on = (events: PublicEvent[]): void => {
      if (broken && events.some(({ subject }) => subject === 'a')) throw new Error('not now');
      seen.push(...events.map(({ id }) => id));
    };
    const { bus } = await fixture.join([consumer('g', invoices, on)], { deadLetters: fullDeadLetters });
    const other = Array.from('bcdefgh').find((subject) => partitionOf(subject) !== partitionOf('a')) as string;
    await bus.publish(invoices, [invoiceEvent('a', 1), invoiceEvent('a', 2), invoiceEvent(other, 1)]);
    await until(async () => (await fixture.lag()) <= 2, LONG);
    expect([...new Set(seen)]).toEqual([`evt_${other}_1`]);
    await systemClock.sleep(1_000);
    expect(await fixture.lag()).toBe(2);
    broken = false;
    await fixture.caughtUp();
    expect([...new Set(seen)]).toEqual([`evt_${other}_1`, 'evt_a_1', 'evt_a_2']);
  });

  test('a handler slower than a session stops no other partition and does not end the membership', async () => {
    const slow = Promise.withResolvers<void>();
    const seen: string[] = [];
    const on = async (events: PublicEvent[]): Promise<void> => {
      if (events.some(({ subject }) => subject === 'slow')) await slow.promise;
      seen.push(...events.map(({ id }) => id));
    };
    const { bus } = await fixture.join([consumer('g', invoices, on)], { clock: systemClock });
    const others = Array.from({ length: 30 }, (_, n) => `inv_${n}`).filter((subject) => partitionOf(subject) !== partitionOf('slow'));
    await bus.publish(invoices, [invoiceEvent('slow', 1), invoiceEvent('slow', 2)]);
    for (let n = 1; n <= 8; n += 1) {
      await bus.publish(
        invoices,
        others.map((subject) => invoiceEvent(subject, n)),
      );
      await systemClock.sleep(1_000);
    }
    await until(() => seen.length >= 8 * others.length, LONG);
    expect(seen).toHaveLength(8 * others.length);
    slow.resolve();
    await fixture.caughtUp();
    expect(seen.slice(8 * others.length)).toEqual(['evt_slow_1', 'evt_slow_2']);
  });

  test('is ready as a member, reports its lag, and is not alive where waiting events are not tried', async () => {
    const hung = Promise.withResolvers<void>();
    let late = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + late };
    const { bus } = await fixture.join([consumer('g', invoices, () => hung.promise)], { clock });
    const lag = async (): Promise<string | undefined> =>
      /^svc_consumer_lag_events\{group="g",topic="invoicing.invoice"\} (\d+)$/m.exec(
        await register.getSingleMetricAsString('svc_consumer_lag_events'),
      )?.[1];
    /** The second answer comes from a check that started after the call. */
    const looked = async (): Promise<unknown[]> => {
      await bus.check();
      return [await bus.check(), bus.progress(), await lag()];
    };
    expect(await looked()).toEqual([true, true, '0']);
    await bus.publish(invoices, [invoiceEvent('a', 1)]);
    expect(await looked()).toEqual([true, true, '1']);
    late = 121_000;
    expect(await looked()).toEqual([true, `no progress of g at ${fixture.topic(invoices)}[${partitionOf('a')}]`, '1']);
    hung.resolve();
    await fixture.caughtUp();
    expect(await looked()).toEqual([true, true, '0']);
  });

  test('a broken envelope is identified by its bytes', async () => {
    const { bus } = await fixture.join([consumer('g', invoices, () => undefined)]);
    const broken = { specversion: '1.0', subject: 'a' } as PublicEvent;
    await bus.publish(invoices, [broken]);
    await fixture.caughtUp();
    expect(await fixture.deadLetters('g').get(deadLetterId('g', broken))).toMatchObject({ event: broken });
  });
});
