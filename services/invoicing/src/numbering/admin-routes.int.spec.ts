import { FakeClock, iso } from '@svc/kernel';
import { createLogger, Health, startOps, type Ops } from '@svc/service';
import { admin } from '@svc/service/admin/run-admin';
import { updateIssuer } from '../issuer/update.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { seriesCommands } from './admin-commands.ts';
import { seriesRoutes } from './admin-routes.ts';
import { seriesRowIndexes, type SeriesRow } from './series.ts';

const TOKEN = 'operators-token-of-thirty-two-characters';
const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1001';
const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 5, 15, 12));
const system = openSystem(folder.path, clock);
const rows = system.documents.collection<SeriesRow>('series_after_restore', { indexes: seriesRowIndexes });
const series = `series-test.${account}.INV.2026`;
let ops: Ops;
beforeAll(async () => {
  const { context, issuers } = system;
  await updateIssuer({ context, issuers, identity: callerOf(system, account) }, { ifMatch: undefined, patch: { legal_name: 'Heron' } });
  const restored = { at: iso(clock.now()), until: 0n };
  const logger = createLogger({ level: 'silent', service: 'test' });
  const routes = seriesRoutes({ ...context, issuers, rows, restored }, TOKEN);
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin: routes });
  process.env['OPS_PORT'] = String(ops.port);
});
afterAll(async () => {
  await ops.close();
  system.engine.close();
  folder.remove();
});

async function call(method: string, path = '', body?: object, token = TOKEN) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`http://127.0.0.1:${ops.port}/admin/series${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as { data: { series: string }[] } };
}
const svc = (...words: string[]) => admin(seriesCommands, ['admin', 'series', ...words]);

test('/admin/series needs the operators’ token, and says what is wrong with a request', async () => {
  expect((await call('GET', '', undefined, 'nobody')).status).toBe(401);
  for (const query of ['?after=a&after=b', '?open=yes', '?colour=red']) expect((await call('GET', query)).status).toBe(422);
  expect((await call('POST', '/note', { account: 'acct_typo', livemode: false })).status).toBe(404);
  expect((await call('POST', '/note', { account })).status).toBe(422);
  expect((await call('POST', '/raise', { series })).status).toBe(422);
  expect((await call('POST', '/raise', { series, last: 1 })).status).toBe(404);
});

test('svc admin series notes, lists and raises series, with the token of the process', async () => {
  await expect(svc('list')).rejects.toThrow('OPS_TOKEN');
  process.env['OPS_TOKEN'] = TOKEN;
  expect(await svc('list')).toEqual({ data: [] });
  await svc('note', '--account', account, '--livemode', 'false');
  const { data } = (await call('GET')).body;
  expect(data.map((one) => one.series)).toContain(series);
  expect(await svc('list', '--after', data[0]?.series as string)).toEqual({ data: data.slice(1) });
  expect(await svc('raise', '--series', series, '--last', '7')).toMatchObject({ open: false, next: 8 });
  expect(await svc('raise', '--series', series, '--last', '7', '--confirm', 'true')).toMatchObject({ open: true, last: 7, next: 8 });
  expect(await svc('list', '--open', 'true')).toEqual({ data: [expect.objectContaining({ series, open: true })] });
  expect(await svc('list', '--open', 'false')).toMatchObject({ data: { length: data.length - 1 } });
});

test('/admin/series/numbers has the series of one account as JSON lines, and says how many there are', async () => {
  const read = async (query: string, token = TOKEN) => {
    const answer = await fetch(`http://127.0.0.1:${ops.port}/admin/series/numbers?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await read(`account=${account}&livemode=false`, 'nobody')).status).toBe(401);
  for (const query of ['', `account=${account}`, `account=${account}&livemode=yes`]) expect((await read(query)).status).toBe(422);
  const { text } = await read(`account=${account}&livemode=false`);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual([
    { series_key: 'INV.2026', revision: '0', type: 'NumbersRaised', data: expect.objectContaining({ seq: 7 }) },
    { events: 1 },
  ]);
  expect((await read(`account=${account}&livemode=true`)).text).toBe('{"events":0}\n');
});

test.each([
  ['list', '--open', 'yes'],
  ['note', '--account', account, '--livemode', ''],
  ['raise', '--series', series, '--last', ''],
  ['raise', '--series', series, '--last', '-1'],
  ['raise', '--series', series, '--last', '7', '--confirm', 'yes'],
])('svc admin series %s rejects an option of another form', async (...words) => {
  await expect(Promise.resolve().then(() => svc(...words))).rejects.toThrow(/^--(open|livemode|last|confirm) |ambiguous/);
});
