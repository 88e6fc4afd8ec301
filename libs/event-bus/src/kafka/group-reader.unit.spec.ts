import kafkajs, { type Kafka } from 'kafkajs';
import { FakeClock } from '@svc/kernel';
import { GroupReader } from './group-reader.ts';
import { quiet } from '../testing/kafka-fixture.ts';

const { KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError, KafkaJSSASLAuthenticationError } = kafkajs;
const saslError = Reflect.construct(KafkaJSSASLAuthenticationError, ['bad']) as Error;
const protocolError = (type: string) => new KafkaJSProtocolError(Object.assign(new Error(type), { type }));

/** A reader whose consumer can be made to crash. */
async function open() {
  const clock = new FakeClock();
  const closing = new AbortController();
  const crashes: unknown[] = [];
  const logged: object[] = [];
  let crash: (event: { payload: { restart: boolean; error: Error } }) => void = () => undefined;
  let runs = 0;
  const consumer = {
    on: (name: string, listener: typeof crash) => void (name === 'consumer.crash' && (crash = listener)),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async () => void (runs += 1),
  };
  const reader = new GroupReader({ consumer: () => consumer } as unknown as Kafka, 'g', new Map(), {
    clock,
    logger: { ...quiet, error: (fields: object) => void logged.push(fields) },
    closing: closing.signal,
    deadLetters: () => {
      throw new Error('it has none');
    },
    crashed: (error) => void crashes.push(error),
    moved: () => undefined,
  });
  await reader.start();
  return {
    clock,
    closing,
    crashes,
    runs: () => runs,
    crash: (name: string, restart = false) => crash({ payload: { restart, error: Object.assign(new Error(name), { name }) } }),
    crashBy: (error: Error) => crash({ payload: { restart: false, error } }),
    logged,
  };
}

describe('a consumer that crashed', () => {
  test("runs again after a second, any number of times, where the group's coordinator was not found", async () => {
    const { clock, crashes, runs, crash } = await open();
    for (let n = 1; n < 4; n += 1) {
      crash('KafkaJSGroupCoordinatorNotFound');
      await clock.advance(999);
      expect(runs()).toBe(n);
      await clock.advance(1);
      expect(runs()).toBe(n + 1);
    }
    expect(crashes).toEqual([]);
  });

  test.each([
    [protocolError('GROUP_AUTHORIZATION_FAILED'), 'does not let the user of this process read as the group g'],
    [protocolError('TOPIC_AUTHORIZATION_FAILED'), 'read as the group g (TOPIC_AUTHORIZATION_FAILED)'],
    [new KafkaJSNumberOfRetriesExceeded(saslError, { retryCount: 5, retryTime: 1 }), 'or its password'],
  ])('runs again every second while Kafka rejects it, and logs one line a minute: %s', async (error, line) => {
    const { clock, crashes, runs, crashBy, logged } = await open();
    for (let n = 1; n < 4; n += 1) {
      crashBy(error);
      await clock.advance(1_000);
      expect(runs()).toBe(n + 1);
    }
    expect(crashes).toEqual([]);
    expect(logged).toEqual([{ group: 'g', reason: expect.stringContaining(line) as string }]);
  });

  test('is reported when it ends for good', async () => {
    const { clock, crashes, runs, crash } = await open();
    crash('KafkaJSProtocolError');
    await clock.advance(10_000);
    expect([crashes.map(String), runs()]).toEqual([['KafkaJSProtocolError: KafkaJSProtocolError'], 1]);
  });

  test('is left to its client where that restarts it', async () => {
    const { clock, crashes, runs, crash } = await open();
    crash('KafkaJSGroupCoordinatorNotFound', true);
    await clock.advance(10_000);
    expect([crashes, runs()]).toEqual([[], 1]);
  });

  test('does not run again when the bus closes meanwhile', async () => {
    const { clock, closing, crashes, runs, crash } = await open();
    crash('KafkaJSGroupCoordinatorNotFound');
    closing.abort();
    await clock.advance(10_000);
    expect([crashes, runs()]).toEqual([[], 1]);
  });
});
