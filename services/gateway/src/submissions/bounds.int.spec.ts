import { settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { type Browser, code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
/** What the stub was asked to submit. */
let asked: string[] = [];
let before: (id: string) => void | Promise<void> = () => undefined;
beforeAll(async () => {
  edge = await EdgeApp.start();
  edge.work.run = async () => ({});
  edge.work.submit = async ({ params: { id } }) => {
    asked.push(id);
    await before(id);
    return { id };
  };
});
afterAll(() => edge.stop());
beforeEach(() => {
  [asked, before] = [[], () => undefined];
});
const { owner, invited } = consoleOf(() => edge);

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `inv_${String(n).padStart(26, '0')}`);
const test1 = { livemode: false };
const begin = (who: Browser, body: object, headers = {}) => who.call('POST', '/submissions', { ...test1, body, headers });
const read = async (who: Browser, id: unknown) => (await who.call('GET', `/submissions/${String(id)}`, test1)).body;
async function passing(condition: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await condition()) return true;
    await edge.clock.advance(1_000);
    await settleTurns(50);
    return false;
  });
}
const ended = async (who: Browser, id: unknown) => {
  await passing(async () => (await read(who, id))['ended_at'] !== null);
  return read(who, id);
};

/** The account may submit so many a minute. */
const limited = async (account: string, submit: number): Promise<void> => {
  await edge.gateway.accounts.store.accounts.claim({ _id: account }, { set: { limits: { submit } } });
  edge.gateway.accounts.forget(account);
};

test('a batch that needs the whole limit passes within two minutes beside it, and it goes on', async () => {
  const { self, account, call } = await owner();
  await limited(account, 10);
  const { id } = (await begin(self, { ids: ids(20) })).body;
  await passing(() => asked.length >= 5);
  const statuses: number[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    statuses.push((await call('POST', '/v1/invoices/batch/submit', { body: { ids: ids(10) } })).status);
    for (let second = 0; second < 60; second += 1) {
      await edge.clock.advance(1_000);
      await settleTurns(20);
    }
  }
  expect(statuses[0]).toBe(429);
  expect(statuses.slice(0, 3)).toContain(200);
  expect((await read(self, id))['done']).toBeGreaterThanOrEqual(15);
  expect(await ended(self, id)).toMatchObject({ status: 'succeeded', done: 20 });
});

test('ended by its member in the middle nothing more is submitted, it shows what was done, and the next one runs', async () => {
  const { self } = await owner();
  const clerk = await invited(self, 'accountant');
  let go: () => void = () => undefined;
  before = (id) => (id === ids(10)[3] ? new Promise<void>((resolve) => (go = resolve)) : undefined);
  const [{ id }, next] = [(await begin(clerk.self, { ids: ids(10) })).body, (await begin(self, { ids: ids(12).slice(10) })).body['id']];
  await passing(() => asked.length === 4);
  const stopped = await clerk.self.call('DELETE', `/submissions/${String(id)}`, test1);
  expect([stopped.status, stopped.body['status'], stopped.body['reason']]).toMatchObject([200, 'failed', { code: 'stopped' }]);
  go();
  expect(await ended(self, next)).toMatchObject({ status: 'succeeded', done: 2 });
  expect(await read(self, id)).toMatchObject({ status: 'failed', done: 4, total: 10 });
  expect(asked).toEqual([...ids(4), ...ids(12).slice(10)]);
  const again = await clerk.self.call('DELETE', `/submissions/${String(id)}`, test1);
  expect([again.status, again.body['ended_at']]).toEqual([200, stopped.body['ended_at']]);
  await passing(async () => JSON.stringify((await self.call('GET', '/audit')).body).includes('submissions.deleted'));
});

test('another member ends one only as owner or admin; no member ends one of another account or environment', async () => {
  const [{ self, account }, other] = [await owner(), await owner()];
  await limited(account, 1);
  const [clerk, mate] = [await invited(self, 'accountant'), await invited(self, 'accountant')];
  const { id } = (await begin(clerk.self, { ids: ids(9) })).body;
  const stop = (who: Browser, livemode = false) => who.call('DELETE', `/submissions/${String(id)}`, { livemode });
  expect(code(await stop(mate.self))).toBe('403 insufficient_permissions');
  expect([code(await stop(other.self)), code(await stop(clerk.self, true))]).toEqual(['404 not_found', '404 not_found']);
  expect(code(await stop(self))).toBe('200');
});

test('a member has at most three that go on, and leaves the others theirs', async () => {
  const { self, account } = await owner();
  await limited(account, 1);
  const clerk = await invited(self, 'accountant');
  const begun = [];
  for (let n = 0; n < 4; n += 1) begun.push(await begin(clerk.self, { ids: ids(9) }));
  expect(begun.map(code)).toEqual(['201', '201', '201', '422 invalid_state']);
  const own = await begin(self, { ids: ids(9) });
  expect(code(own)).toBe('201');
  for (const { body } of [...begun.slice(0, 3), own]) await self.call('DELETE', `/submissions/${String(body['id'])}`, test1);
});

test('a list of jobs names no failures, however many they have, and has 20 at most', async () => {
  const { self, account } = await owner();
  const { id } = (await begin(self, { ids: ids(1) })).body;
  await ended(self, id);
  const rows = edge.gateway.submissions;
  const job = (await rows.get(String(id)))!;
  const failed = ids(1_000).map((one) => ({ id: one, code: 'validation_error', message: 'x'.repeat(500) }));
  await rows.write(ids(60).map((one) => ({ insert: { ...job, _id: one.replace('inv', 'sub'), version: 1, due_at: null, failed } })));
  const { text, body } = await self.call('GET', '/submissions', test1);
  expect(text.length).toBeLessThan(20_000);
  expect((body['data'] as object[]).at(-1)).toMatchObject({ failed: [], failed_count: 1_000 });
  expect(code(await self.call('GET', '/submissions?per_page=21', test1))).toBe('400 invalid_request');
  expect((await read(self, ids(1)[0]?.replace('inv', 'sub')))['failed']).toHaveLength(1_000);
  expect(account).toBe(job.account);
});
