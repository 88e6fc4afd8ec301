import {
  EventStoreDBClient,
  StreamNotFoundError,
  jsonEvent,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  eventTypeFilter,
  START,
  type JSONEventType,
  type PersistentSubscriptionToStream,
} from '@eventstore/db-client';
import { until } from '../../until.suite.ts';
import { openDouble } from '../wire.suite.ts';

/** What a consumer gets: types with the times each was delivered before. */
function consume(
  subscription: PersistentSubscriptionToStream,
  answer: (type: string, retries: number) => 'ack' | 'park' | 'retry' | 'nothing',
) {
  const got: [string, number][] = [];
  const errors: unknown[] = [];
  subscription.on('data', (delivered) => {
    const type = delivered.event?.type ?? '';
    got.push([type, delivered.retryCount]);
    const action = answer(type, delivered.retryCount);
    if (action === 'ack') void subscription.ack(delivered);
    else if (action !== 'nothing') void subscription.nack(action, 'because', delivered);
  });
  subscription.on('error', (error) => errors.push(error));
  return { got, errors };
}

describe('persistent subscriptions', () => {
  let double: Awaited<ReturnType<typeof openDouble>>;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    double = await openDouble();
    client = EventStoreDBClient.connectionString(double.url());
  });
  afterEach(async () => {
    await client.dispose();
    await double.close();
  });
  const append = (stream: string, ...types: string[]) =>
    client.appendToStream(
      stream,
      types.map((type) => jsonEvent({ type, data: {} })),
    );
  const create = (stream: string, settings = {}) =>
    client.createPersistentSubscriptionToStream(
      stream,
      'g',
      persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START, ...settings }),
    );

  /** The stored position from which the group goes on; 0 when there is none yet. */
  async function checkpoint(stream: string): Promise<number> {
    const saved = client.readStream<JSONEventType<string, { position: number }>>(`$persistentsubscription-${stream}::g-checkpoint`);
    let position = 0;
    try {
      for await (const { event } of saved) position = event?.data.position ?? 0;
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    return position;
  }

  test('hands each event to one consumer, and what a gone one left to the other', async () => {
    await append('shared', 'A', 'B', 'C', 'D');
    await create('shared');
    const silent = client.subscribeToPersistentSubscriptionToStream('shared', 'g', { bufferSize: 2 });
    const first = consume(silent, () => 'nothing');
    await until(() => first.got.length === 2);
    const second = consume(client.subscribeToPersistentSubscriptionToStream('shared', 'g'), () => 'ack');
    await until(() => second.got.length === 2);
    await silent.unsubscribe();
    await until(() => second.got.length === 4);
    expect(second.got).toEqual([
      ['C', 0],
      ['D', 0],
      ['A', 1],
      ['B', 1],
    ]);
  });

  test('parks what is refused too often; replayed, it comes again', async () => {
    await append('parked', 'A');
    await create('parked', { maxRetryCount: 1 });
    let mood: 'retry' | 'ack' = 'retry';
    const { got } = consume(client.subscribeToPersistentSubscriptionToStream('parked', 'g'), () => mood);
    const parked = async () => (await client.getPersistentSubscriptionToStreamInfo('parked', 'g')).stats.parkedMessageCount;
    await until(() => got.length === 2);
    while ((await parked()) !== 1n) await new Promise((resolve) => setImmediate(resolve));
    mood = 'ack';
    await client.replayParkedMessagesToStream('parked', 'g');
    await until(() => got.length === 3);
    expect(got).toEqual([
      ['A', 0],
      ['A', 1],
      ['A', 0],
    ]);
    expect(await parked()).toBe(0n);
  });

  test('what is not answered in time is delivered again', async () => {
    await append('slow', 'A');
    await create('slow', { messageTimeout: 500 });
    const { got } = consume(client.subscribeToPersistentSubscriptionToStream('slow', 'g'), (_type, retries) =>
      retries === 0 ? 'nothing' : 'ack',
    );
    await until(() => got.length >= 2);
    expect(got.slice(0, 2)).toEqual([
      ['A', 0],
      ['A', 1],
    ]);
  });

  test('a group outlives the server and goes on after what was acknowledged', async () => {
    const { position: last } = await append('lasting', 'A', 'B');
    await create('lasting', { checkPointAfter: 10 });
    const before = consume(client.subscribeToPersistentSubscriptionToStream('lasting', 'g'), () => 'ack');
    await until(() => before.got.length === 2);
    while ((await checkpoint('lasting')) <= Number(last?.commit)) await new Promise((resolve) => setImmediate(resolve));
    await client.dispose();
    await double.restart();
    client = EventStoreDBClient.connectionString(double.url());
    await append('lasting', 'C');
    const after = consume(client.subscribeToPersistentSubscriptionToStream('lasting', 'g'), () => 'ack');
    await until(() => after.got.length === 1);
    expect(after.got).toEqual([['C', 0]]);
  });

  test('who consumes a group that is deleted is told', async () => {
    await append('deleted', 'A');
    await create('deleted');
    const { got, errors } = consume(client.subscribeToPersistentSubscriptionToStream('deleted', 'g'), () => 'ack');
    await until(() => got.length === 1);
    await client.deletePersistentSubscriptionToStream('deleted', 'g');
    await until(() => errors.length === 1);
    expect(errors[0]).toMatchObject({ type: 'persistent-subscription-dropped', streamName: 'deleted', groupName: 'g' });
    await expect(client.deletePersistentSubscriptionToStream('deleted', 'g')).rejects.toMatchObject({
      type: 'persistent-subscription-does-not-exist',
    });
  });

  test('a group on $all gets what its filter lets through, as it is written', async () => {
    await client.createPersistentSubscriptionToAll('all', persistentSubscriptionToAllSettingsFromDefaults({ startFrom: START }), {
      filter: eventTypeFilter({ prefixes: ['Wanted'] }),
    });
    const got: string[] = [];
    const subscription = client.subscribeToPersistentSubscriptionToAll('all');
    subscription.on('data', (delivered) => {
      got.push(`${delivered.event?.streamId} ${delivered.event?.type}`);
      void subscription.ack(delivered);
    });
    subscription.on('error', () => undefined);
    await append('one', 'Wanted.A', 'Other');
    await append('two', 'Wanted.B');
    await until(() => got.length === 2);
    expect(got).toEqual(['one Wanted.A', 'two Wanted.B']);
  });
});
