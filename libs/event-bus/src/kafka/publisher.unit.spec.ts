import type { Producer, RecordMetadata } from 'kafkajs';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { invoiceEvent } from '../event-bus.suite.ts';
import { createPublisher } from './publisher.ts';
import { batchesOf, partitionOf } from './topics.ts';

const MIB = 1_048_576;
const sized = (subject: string, sequence: number, bytes: number) => invoiceEvent(subject, sequence, { data: { text: 'x'.repeat(bytes) } });
const idsOf = (messages: { value: Buffer }[]): string[] => messages.map(({ value }) => (JSON.parse(String(value)) as { id: string }).id);

/** Subjects, each in another partition. */
const subjects = [...Map.groupBy(Array.from('abcdefghijkl'), partitionOf).values()].map(([first]) => first as string);

describe('the partition of a subject', () => {
  // These expect murmur2 as in Kafka's own clients: -973932308, -790332482, -985981536, -1486304829, 479470107.
  test.each([
    ['21', (-973_932_308 & 0x7fffffff) % 12],
    ['foobar', (-790_332_482 & 0x7fffffff) % 12],
    ['a-little-bit-long-string', (-985_981_536 & 0x7fffffff) % 12],
    ['a-little-bit-longer-string', (-1_486_304_829 & 0x7fffffff) % 12],
    ['abc', 479_470_107 % 12],
  ])('%s is in %i, as with every other client of Kafka', (subject, partition) => {
    expect(partitionOf(subject)).toBe(partition);
  });

  test('subjects are spread over all twelve', () => {
    const partitions = Array.from({ length: 1_000 }, (_, n) => partitionOf(`inv_${n}`));
    expect([...new Set(partitions)].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  });
});

describe('the batches of a publication', () => {
  test('the events of a subject are in one partition, in order', () => {
    const events = [1, 2, 3].flatMap((n) => subjects.map((subject) => invoiceEvent(subject, n)));
    const batches = batchesOf(events);
    expect(batches.size).toBe(subjects.length);
    for (const subject of subjects)
      expect((batches.get(partitionOf(subject)) ?? []).map(idsOf)).toEqual([[1, 2, 3].map((n) => `evt_${subject}_${n}`)]);
  });

  test('none is larger than a broker accepts, and none is empty', () => {
    const events = Array.from({ length: 40 }, (_, n) => sized('a', n, 100_000));
    const batches = batchesOf(events).get(partitionOf('a')) ?? [];
    for (const batch of batches) {
      expect(batch.length).toBeGreaterThan(0);
      expect(batch.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThan(MIB);
    }
    expect(batches.flatMap(idsOf)).toEqual(events.map(({ id }) => id));
    expect(batches.length).toBe(4);
  });

  test('an event of 900 KiB fits, a larger one has a batch of its own', () => {
    const events = [sized('a', 1, 10), sized('a', 2, 900 * 1_024), sized('a', 3, 2 * MIB), sized('a', 4, 10)];
    const batches = batchesOf(events).get(partitionOf('a')) ?? [];
    expect(batches.map(idsOf)).toEqual([['evt_a_1', 'evt_a_2'], ['evt_a_3'], ['evt_a_4']]);
  });

  test('messages have the subject as key, and the type and the trace as text headers', () => {
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const [[message]] = [...batchesOf([invoiceEvent('a', 1, { traceparent })]).values()].flat() as [[object]];
    expect(message).toMatchObject({ key: 'a', headers: { type: 'invoicing.invoice-updated.v1', traceparent } });
  });
});

describe('publishing', () => {
  /** A producer whose answers the test releases. */
  function producer() {
    const sends: { ids: string[]; answer: (more?: Partial<RecordMetadata>) => void; fail: (error: Error) => void }[] = [];
    const send: Producer['send'] = ({ topic, messages }) => {
      const { promise, resolve, reject } = Promise.withResolvers<RecordMetadata[]>();
      const partition = messages[0]?.partition ?? -1;
      const answer = (more = {}): void => resolve([{ topicName: topic, partition, errorCode: 0, ...more }]);
      sends.push({ ids: idsOf(messages as { value: Buffer }[]), answer, fail: reject });
      return promise;
    };
    return { send, sends };
  }
  const publishing = (send: Producer['send'], refused: string[] = []) => {
    const publish = createPublisher({ send });
    return (topic: string, events: PublicEvent[]) => publish(topic, events, async ({ id }, why) => void refused.push(`${id}: ${why}`));
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('has one send in flight for each partition', async () => {
    const { send, sends } = producer();
    const publish = publishing(send);
    const [a, b] = subjects as [string, string];
    const all = [
      publish('t', [invoiceEvent(a, 1), invoiceEvent(b, 1)]),
      publish('t', [invoiceEvent(a, 2)]),
      publish('t', [invoiceEvent(b, 2)]),
    ];
    await turn();
    expect(sends.map(({ ids }) => ids)).toEqual([[`evt_${a}_1`], [`evt_${b}_1`]]);
    sends[0]?.answer();
    await turn();
    expect(sends.slice(2).map(({ ids }) => ids)).toEqual([[`evt_${a}_2`]]);
    for (const { answer } of sends) answer();
    await turn();
    sends[3]?.answer();
    await Promise.all(all);
  });

  test('fails when one partition fails, after the others are done, and can publish again afterwards', async () => {
    const { send, sends } = producer();
    const publish = publishing(send);
    const [a, b] = subjects as [string, string];
    let over = false;
    const failing = publish('t', [sized(a, 1, 900_000), sized(a, 2, 900_000), invoiceEvent(b, 1)]).finally(() => (over = true));
    const next = publish('t', [invoiceEvent(a, 3)]);
    const failed = expect(failing).rejects.toThrow('away');
    await turn();
    sends[0]?.fail(new Error('away'));
    await turn();
    expect(over).toBe(false);
    sends[1]?.answer();
    await failed;
    expect(sends.map(({ ids }) => ids)).toEqual([[`evt_${a}_1`], [`evt_${b}_1`], [`evt_${a}_3`]]);
    sends[2]?.answer();
    await next;
  });

  test.each(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'])(
    'of a batch that the broker permanently rejects (%s, directly or after retries) only the message at fault goes to `refused`, the others are sent in order',
    async (type) => {
      const sent: string[][] = [];
      const refused: string[] = [];
      const send: Producer['send'] = async ({ topic, messages }) => {
        const ids = idsOf(messages as { value: Buffer }[]);
        sent.push(ids);
        const direct = Object.assign(new Error('no'), { type });
        if (ids.includes('evt_a_2')) throw ids.length > 1 ? direct : new Error('no more retries', { cause: direct });
        return [{ topicName: topic, partition: messages[0]?.partition ?? -1, errorCode: 0 }];
      };
      await publishing(send, refused)(
        't',
        [1, 2, 3].map((n) => invoiceEvent('a', n)),
      );
      expect(sent).toEqual([['evt_a_1', 'evt_a_2', 'evt_a_3'], ['evt_a_1'], ['evt_a_2'], ['evt_a_3']]);
      expect(refused).toEqual(['evt_a_2: no more retries']);
    },
  );

  test('a batch that fails for another reason rejects the publication', async () => {
    const refused: string[] = [];
    const send: Producer['send'] = () => Promise.reject(Object.assign(new Error('away'), { type: 'NOT_ENOUGH_REPLICAS' }));
    await expect(publishing(send, refused)('t', [invoiceEvent('a', 1)])).rejects.toThrow('away');
    expect(refused).toEqual([]);
  });

  test.each([{ partition: 99 }, { errorCode: 6 }])('an answer without the partition is a failure: %j', async (answer) => {
    const { send, sends } = producer();
    const published = publishing(send)('t', [invoiceEvent('a', 1)]);
    await turn();
    sends[0]?.answer(answer);
    await expect(published).rejects.toThrow(`t[${partitionOf('a')}] took nothing`);
  });
});
