import { invalid, settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createAskInside } from '../principals/inside/ask-inside.ts';
import { type Browser, code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { submissionsWork } from './work.ts';

let edge: EdgeApp;
/** What the stub was asked to submit. */
let asked: { id: string; command: string; actor: string }[] = [];
let refused = new Set<string>();
let before: (id: string) => void | Promise<void> = () => undefined;
beforeAll(async () => {
  edge = await EdgeApp.start();
  edge.work.run = async () => ({});
  edge.work.submit = async ({ params: { id }, identity }) => {
    asked.push({ id, command: identity.commandId, actor: identity.actor.id });
    await before(id);
    if (refused.has(id)) throw invalid({ 'items.0.description': ['Send one.'] });
    return { id };
  };
});
afterAll(() => edge.stop());
beforeEach(() => {
  [asked, refused, before] = [[], new Set(), () => undefined];
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

test('each is submitted once as the member, in order; what is refused stands in failed with its reason', async () => {
  const { self } = await owner();
  const clerk = await invited(self, 'accountant');
  refused.add(ids(3)[1] as string);
  const { body, status } = await begin(clerk.self, { ids: ids(3) });
  expect([status, body['status'], body['total']]).toEqual([201, 'queued', 3]);
  expect(await ended(self, body['id'])).toMatchObject({
    ...{ status: 'succeeded', done: 3, total: 3, reason: null, created_by: { id: clerk.id } },
    failed: [{ id: ids(3)[1], code: 'validation_error', message: 'items.0.description: Send one.' }],
  });
  expect(asked.map(({ id, actor }) => [id, actor])).toEqual(ids(3).map((id) => [id, clerk.id]));
  await passing(async () => JSON.stringify((await self.call('GET', '/audit')).body).includes('submissions.created'));
});

/** The account may submit so many a minute. */
const limited = async (account: string, submit: number): Promise<void> => {
  await edge.gateway.accounts.store.accounts.claim({ _id: account }, { set: { limits: { submit } } });
  edge.gateway.accounts.forget(account);
};

test('it takes half of the limit, and the rest after half a minute where no other request submits', async () => {
  const { self, account } = await owner();
  await limited(account, 4);
  const { id } = (await begin(self, { ids: ids(5) })).body;
  await passing(() => asked.length === 2);
  await edge.clock.advance(20_000);
  expect([asked.length, (await read(self, id))['status']]).toEqual([2, 'running']);
  await passing(() => asked.length === 4);
  await edge.clock.advance(15_000);
  expect(asked).toHaveLength(4);
  expect(await ended(self, id)).toMatchObject({ status: 'succeeded', done: 5 });
});

test.each([1, 20 * 24])('a job that waits by a clock that was %d h ahead goes on once it is set back', async (hours) => {
  const now = edge.clock.now.bind(edge.clock);
  let ahead = hours * 3_600_000;
  edge.clock.now = () => now() + ahead;
  const { self, account } = await owner();
  await limited(account, 4);
  const { id } = (await begin(self, { ids: ids(5) })).body;
  await passing(() => asked.length === 2);
  await edge.clock.advance(20_000);
  ahead = 0;
  const read = () => edge.gateway.submissions.get(String(id));
  await passing(async () => (await read())?.ended_at !== null);
  expect(await read()).toMatchObject({ status: 'succeeded', done: 5 });
  edge.clock.now = now;
});

test('half is left to others who submit', async () => {
  const { self, account, call } = await owner();
  await limited(account, 4);
  const other = () => call('POST', `/v1/invoices/${String(ids(1)[0])}/submit`);
  expect((await other()).status).toBe(200);
  const { id } = (await begin(self, { ids: ids(5) })).body;
  await passing(() => asked.length === 3);
  await edge.clock.advance(40_000);
  expect(asked).toHaveLength(3);
  expect((await other()).status).toBe(200);
  expect(await ended(self, id)).toMatchObject({ status: 'succeeded', done: 5 });
  expect(asked).toHaveLength(7);
});

test('kill -9 after a submission that was not stored: it is repeated under its command, and none is lost', async () => {
  const { self } = await owner();
  let crash: () => void = () => undefined;
  const crashed = new Promise<void>((resolve) => (crash = resolve));
  before = (id) => {
    if (id !== ids(5)[2]) return undefined;
    crash();
    return new Promise<void>(() => undefined);
  };
  const { id } = (await begin(self, { ids: ids(5) })).body;
  await edge.clock.advance(1_000);
  await crashed;
  await edge.crash();
  before = () => undefined;
  expect(await ended(self, id)).toMatchObject({ status: 'succeeded', done: 5 });
  const commands = new Map(ids(5).map((one) => [one, new Set(asked.filter((by) => by.id === one).map(({ command }) => command))]));
  expect([...commands.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
  expect(asked.length).toBeGreaterThan(5);
});

test('two processes: each invoice is submitted under one command, and the job ends once', async () => {
  const { self } = await owner();
  const { accounts, submissions, limiter, bus, clock, logger, insiders } = edge.gateway;
  const ask = createAskInside(edge.fastify, insiders);
  const options = { people: accounts.people, store: accounts.store, rows: submissions, limiter, bus, clock, logger, ask };
  const other = submissionsWork(options).start();
  const { id } = (await begin(self, { ids: ids(60) })).body;
  expect(await ended(self, id)).toMatchObject({ status: 'succeeded', done: 60, failed: [] });
  await other.stop();
  expect(asked.map((one) => one.id).sort()).toEqual(ids(60));
});

test('it ends with the rights of its member: the rest stays as it was', async () => {
  const { self, account } = await owner();
  await limited(account, 2);
  const clerk = await invited(self, 'accountant');
  const { id } = (await begin(clerk.self, { ids: ids(6) })).body;
  await passing(() => asked.length === 1);
  await self.call('DELETE', `/members/${clerk.id}`);
  expect(await ended(self, id)).toMatchObject({ status: 'failed', done: 1, reason: { code: 'insufficient_permissions' } });
  await edge.clock.advance(120_000);
  expect(asked).toHaveLength(1);
});

test('ids twice, unknown ids and none are refused; a repeat of the request is the same job', async () => {
  const { self } = await owner();
  const [one] = ids(1);
  for (const body of [{ ids: [] }, { ids: [one, one] }, { ids: ['inv_1'] }, { ids: ids(1_001) }, {}])
    expect(code(await begin(self, body))).toBe('422 validation_error');
  const key = { 'idempotency-key': 'k' };
  const [first, again] = [await begin(self, { ids: [one] }, key), await begin(self, { ids: [one] }, key)];
  expect(again.body['id']).toBe(first.body['id']);
  expect((await ended(self, first.body['id']))['done']).toBe(1);
  expect(asked).toHaveLength(1);
});
