import type { Answered } from '../sending/send.ts';
import { type Delivery, deliveryResource } from '../delivery/delivery.ts';
import { answer } from '../delivery/testing/process.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { openRecovering, type Recovering } from './testing/recovering.ts';

let on: Recovering;
beforeEach(async () => {
  on = await openRecovering();
  on.send = answered;
});
afterEach(() => on.end());

const answered = async (): Promise<Answered> => (await on.clock.sleep(5), answer(200));
const sequences = (resource: string): number[] => on.sent.filter((one) => one.resource === resource).map(({ sequence }) => sequence);
const inOrder = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b);

test('of one resource the next goes out when the one before has ended, at the pace of the endpoint', async () => {
  await on.missed(2_000, { resources: 1, apart: 1 });
  const began = on.clock.now();
  await on.start();
  await on.until(on.isDone, 60_000);
  expect(on.mostOfOne).toBe(1);
  expect(sequences('cust_0')).toEqual(Array.from({ length: 2_000 }, (_, n) => n + 1));
  // Ten seconds of answers, and some until it knows what the endpoint bears.
  expect(on.clock.now() - began).toBeLessThan(25_000);
  expect(await on.shown()).toMatchObject({ created: 2_000, delivered: 2_000, failed: 0 });
});

test('one resource with many events holds up no other', async () => {
  await on.missed(30, { resources: 1, apart: 1 });
  await on.missed(30, { resources: 30, apart: 1 });
  on.send = async () => (await on.clock.sleep(1_000), answer(200));
  await on.start();
  await on.until(() => new Set(on.sent.map(({ resource }) => resource)).size === 30, 60_000);
  expect(sequences('cust_0').length).toBeLessThan(15);
});

test('two replicas send the events of one resource one at a time, and each once', async () => {
  on.openAnother();
  await on.missed(240, { resources: 3, apart: 1 });
  await on.start();
  await on.until(on.isDone, 120_000);
  expect(on.mostOfOne).toBe(1);
  for (const resource of ['cust_0', 'cust_1', 'cust_2']) expect(sequences(resource)).toEqual(inOrder(sequences(resource)));
  expect(on.sent).toHaveLength(240);
});

test('after a failure what waits behind it pauses, and then goes on in order', async () => {
  await on.missed(200, { resources: 1, apart: 1 });
  on.send = async ({ sequence }) => (await on.clock.sleep(5), answer(sequence === 50 && on.sent.length < 60 ? 503 : 200));
  await on.start();
  await on.until(() => on.sent.length >= 50);
  const failed = on.clock.now();
  await on.until(() => on.sent.length >= 51);
  expect(on.clock.now() - failed).toBeGreaterThanOrEqual(300);
  await on.until(async () => (await on.shown())?.delivered === 200 || on.isDone(), 900_000);
  const firsts = [...new Set(sequences('cust_0'))];
  expect(firsts).toEqual(inOrder(firsts));
  expect(firsts).toHaveLength(200);
});

test.each([150, 350, 650, 1_250])('a process that dies after %i ms leaves the rest of a resource in order to the next one', async (ms) => {
  await on.missed(150, { resources: 2, apart: 1 });
  await on.start();
  await on.clock.advance(ms);
  on.abandon();
  on.open();
  await on.until(on.isDone);
  for (const resource of ['cust_0', 'cust_1']) {
    const firsts = [...new Set(sequences(resource))];
    expect(firsts).toEqual(inOrder(firsts));
    expect(firsts).toHaveLength(75);
  }
});

test('what waits behind another one is cancelled when the endpoint is disabled, and when the recovery is stopped', async () => {
  await on.missed(100, { resources: 1, apart: 1 });
  on.send = async () => (await on.clock.sleep(2_000), answer(200));
  await on.start();
  await on.clock.advance(3_000);
  expect((await on.rows()).filter(({ status }) => status === 'pending').length).toBeGreaterThan(1);
  await on.start({ stop: true });
  await on.clock.advance(3_000);
  expect((await on.rows()).filter(({ status }) => status === 'pending')).toEqual([]);
  const before = on.sent.length;
  await on.clock.advance(10_000);
  expect(on.sent).toHaveLength(before);
});

test('one that is sent by hand before its turn, and fails, has its turn still', async () => {
  await on.missed(20, { resources: 1, apart: 1 });
  on.send = async () => (await on.clock.sleep(1_000), answer(200));
  await on.start();
  await on.until(() => on.sent.length > 2);
  const behind = (await on.rows()).filter((row) => row.status === 'pending');
  expect(behind.map((row) => deliveryResource(row).next_attempt_at)).toEqual(behind.map(() => null));
  const last = behind.at(-1) as Delivery;
  const endpoint = await on.context.endpoints.get('we_1');
  on.send = async ({ id }) => (
    await on.clock.sleep(100),
    answer(id === last.event_id && on.sent.filter((one) => one.id === id).length === 1 ? 500 : 200)
  );
  const byHand = on.worker.redeliver(endpoint as Endpoint, last._id);
  await on.until(on.isDone);
  await byHand;
  expect((await on.rows()).filter(({ status }) => status !== 'succeeded')).toEqual([]);
});
