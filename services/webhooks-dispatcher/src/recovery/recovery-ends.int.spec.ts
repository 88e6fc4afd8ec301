import { iso } from '@svc/kernel';
import { afterRestore } from '../after-restore.ts';
import { answer } from '../delivery/testing/process.ts';
import { enableEndpoint, updateEndpoint } from '../endpoint/change.ts';
import { NONE_ENDED } from '../endpoint/endpoint.ts';
import { openRecovering, type Recovering } from './testing/recovering.ts';

let on: Recovering;
beforeEach(async () => {
  on = await openRecovering();
});
afterEach(() => on.end());

const disable = async (): Promise<void> => {
  await updateEndpoint(on.context, on.identity(), { id: 'we_1' }, { body: { status: 'disabled' }, ended: NONE_ENDED });
  on.worker.cancel('we_1');
};

test('ends on request: what is under way is recorded, what waits is cancelled, and the rest can be recovered', async () => {
  const events = await on.missed(60);
  on.send = async () => (await on.clock.sleep(250), answer(200));
  await on.start();
  await on.clock.advance(600);
  const made = (await on.rows()).length;
  expect(await on.start({ stop: true })).toMatchObject({ matched: 60, created: made, status: 'stopped' });
  expect(await on.start({ stop: true })).toMatchObject({ created: made, status: 'stopped' });
  await on.clock.advance(3_000);
  const before = on.sent.length;
  expect(before).toBeLessThan(60);
  expect((await on.rows()).filter(({ status }) => status === 'pending')).toEqual([]);
  expect(await on.shown()).toMatchObject({ status: 'stopped', created: (await on.rows()).length, delivered: before, failed: 0 });
  await on.start();
  await on.until(on.isDone);
  expect(on.sent.map(({ id }) => id).toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());
});

test('a disabling ends it', async () => {
  await on.missed(40);
  on.send = async () => (await on.clock.sleep(250), answer(200));
  await on.start();
  await on.clock.advance(300);
  await disable();
  await on.clock.advance(5_000);
  expect(await on.shown()).toMatchObject({ status: 'stopped', created: (await on.rows()).length });
  const before = on.sent.length;
  await on.clock.advance(60_000);
  expect([on.sent.length, (await on.rows()).filter(({ status }) => status === 'pending')]).toEqual([before, []]);
});

test('one that a restored backup holds as running sends nothing more, and one that began after the restore goes on', async () => {
  await on.missed(60);
  on.send = async () => (await on.clock.sleep(250), answer(200));
  await on.start();
  await on.clock.advance(600);
  const restoredAt = iso(on.clock.now());
  await afterRestore(on.context, restoredAt);
  await on.clock.advance(3_000);
  const before = on.sent.length;
  await on.clock.advance(60_000);
  expect([on.sent.length, (await on.rows()).filter(({ status }) => status === 'pending')]).toEqual([before, []]);
  expect([before < 60, await on.shown()]).toEqual([true, expect.objectContaining({ status: 'stopped' })]);
  expect(await on.start()).toMatchObject({ status: 'running' });
  await afterRestore(on.context, restoredAt); // of a slower replica
  await on.until(on.isDone);
  expect(new Set(on.sent.map(({ id }) => id)).size).toBe(60);
});

test('one of which deliveries were cancelled is stopped at its end, also where the endpoint is enabled again before it looks', async () => {
  await on.missed(10);
  on.send = ({ sequence }) => answer(sequence > 7 ? 500 : 200);
  await on.start();
  await on.until(async () => (await on.context.recoveries.get('we_1'))?.phase === 'ending');
  await on.clock.advance(20_000); // it looks ever less often
  await disable();
  await on.until(async () => (await on.rows()).every(({ status }) => status !== 'pending'));
  await enableEndpoint(on.context, on.identity(), { id: 'we_1' });
  await on.until(async () => (await on.shown())?.status !== 'running');
  expect(await on.shown()).toMatchObject({ status: 'stopped', created: 10, delivered: 7, failed: 0 });
  on.send = () => answer(200);
  expect(await on.start()).toMatchObject({ matched: 3, created: 3 });
  await on.until(on.isDone);
});

test.each([1, 2, 3, 4, 5, 6])(
  'a process that dies after %i hundred milliseconds leaves it to the next one, which sends nothing twice that was recorded',
  async (n) => {
    const events = await on.missed(40);
    on.send = async () => (await on.clock.sleep(70), answer(200));
    await on.start();
    await on.clock.advance(n * 100);
    const recorded = (await on.rows()).filter(({ status }) => status === 'succeeded').map(({ event_id }) => event_id);
    on.abandon();
    on.open();
    await on.until(on.isDone);
    expect(new Set(on.sent.map(({ id }) => id))).toEqual(new Set(events.map(({ _id }) => _id)));
    for (const id of recorded) expect(on.sent.filter((one) => one.id === id)).toHaveLength(1);
    expect(await on.shown()).toMatchObject({ created: 40, delivered: 40, failed: 0 });
  },
);
