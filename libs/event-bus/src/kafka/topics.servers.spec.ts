import { randomBytes } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import { topics } from '@svc/contracts/events/envelope';
import { openKafka } from './client.ts';
import { brokers, createTopic, quiet } from '../testing/kafka-fixture.ts';
import { createTopics, inNamespace, topicConfigs } from './topics.ts';

describe('the topics', () => {
  const admin: Admin = openKafka({ brokers: brokers(), clientId: 'tests', logger: quiet }).admin();
  let namespace: string;
  const topic = (name: string): string => inNamespace(namespace, name);
  const all = (): string[] => Object.keys(topicConfigs).map(topic);
  const create = () => createTopics({ brokers: brokers(), namespace, replicas: 1 });
  const config = (name: string, value: string) => ({ name, value });

  beforeAll(() => admin.connect());
  beforeEach(() => {
    namespace = `t${randomBytes(6).toString('hex')}`;
  });
  afterEach(async () => {
    const there = await admin.listTopics();
    await admin.deleteTopics({ topics: all().filter((name) => there.includes(name)) });
  });
  afterAll(() => admin.disconnect());

  const configsOf = async (name: string): Promise<Record<string, string>> => {
    const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic(name) }];
    const described = await admin.describeConfigs({ resources, includeSynonyms: false });
    return Object.fromEntries(
      described.resources.flatMap(({ configEntries }) => configEntries.map((it) => [it.configName, it.configValue])),
    );
  };

  test('are created once by concurrent processes', async () => {
    const done = await Promise.all([create(), create(), create()]);
    expect(done.flatMap(({ created }) => created).sort()).toEqual(all().sort());
    expect(await create()).toEqual({ created: [], different: [] });
  });

  test('have twelve partitions, and the retention of legal, erasable or other data', async () => {
    await create();
    for (const name of Object.keys(topicConfigs)) expect(await admin.fetchTopicOffsets(topic(name))).toHaveLength(12);
    expect(await configsOf(topics.invoice)).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': '-1' });
    expect(await configsOf(topics.registration)).toMatchObject({ 'retention.ms': '2592000000', 'min.insync.replicas': '1' });
    expect(await configsOf(topics.customer)).toMatchObject({ 'cleanup.policy': 'compact', 'min.compaction.lag.ms': '604800000' });
  });

  test("keep an operator's settings, and differences are reported", async () => {
    const configEntries = [config('retention.ms', '1000'), config('retention.bytes', '-1')];
    await createTopic(admin, { topic: topic(topics.receipt), numPartitions: 12, configEntries });
    const { created, different } = await create();
    expect(created.sort()).toEqual(
      all()
        .filter((name) => name !== topic(topics.receipt))
        .sort(),
    );
    expect(different).toEqual([`${topic(topics.receipt)}: retention.ms is 1000, a new one would have -1`]);
    expect(await configsOf(topics.receipt)).toMatchObject({ 'retention.ms': '1000' });
  });

  test('with too few partitions are rejected: adding some would break the order', async () => {
    await createTopic(admin, { topic: topic(topics.receipt), numPartitions: 3 });
    await expect(create()).rejects.toThrow(`${topic(topics.receipt)} has 3 partitions and needs 12`);
  });
});
