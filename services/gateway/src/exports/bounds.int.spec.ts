import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { until } from '@svc/kernel/testing/until';
import { type Browser, code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { exportsOf, invoice, january } from '../testing/exports-of.ts';
import { stubDocuments, type StubDocument } from '../testing/stub-documents.ts';
import { unzip } from '../testing/unzip.ts';

const documents = stubDocuments();
let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start({ documents })));
afterAll(() => edge.stop());
beforeEach(() => void Object.assign(documents, stubDocuments(), january()));
const { owner, invited } = consoleOf(() => edge);
const { begin, read, ended, open, exported } = exportsOf(() => edge);
const test1 = { livemode: false };

test('clients that read next to nothing lose their files, and leave their turns to others', async () => {
  const { self } = await owner();
  const large = () => randomBytes(600_000).toString('base64');
  documents.invoices = documents.invoices.slice(0, 20).map((one) => ({ ...one, customer: { name: large(), tax_id: null } }));
  const { id } = (await begin(self, { kind: 'jsonl' })).body;
  await until(async () => {
    await edge.clock.advance(1_000);
    return (await read(self, id))['ended_at'] !== null;
  });
  const { url } = await read(self, id);
  const { pathname } = new URL(String(url));
  const sockets = [1, 2].map(() => {
    const socket = connect(edge.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: test\r\n\r\n`);
    return socket;
  });
  const status = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${edge.port}${pathname}`);
    await answer.body?.cancel();
    return answer.status;
  };
  await until(async () => (await status()) === 503);
  for (let n = 0; n < 3; n += 1) await edge.clock.advance(30_000);
  await until(async () => (await status()) === 200);
  for (const socket of sockets) socket.destroy();
});

test('a job whose step ends its process each time ends failed, and the next one runs', async () => {
  const { self } = await owner();
  let reached: () => void = () => undefined;
  documents.before = (path) => {
    if (!path.endsWith('/pdf')) return undefined;
    reached();
    return new Promise<void>(() => undefined);
  };
  const { id } = (await begin(self, { kind: 'pdf' })).body;
  for (let n = 0; n < 5; n += 1) {
    let isReached = false;
    reached = () => (isReached = true);
    await until(async () => {
      await edge.clock.advance(1_000);
      return isReached;
    });
    await edge.crash();
  }
  const next = (await begin(self)).body['id'];
  expect(await ended(self, id)).toMatchObject({ status: 'failed', reason: { code: 'internal_error' } });
  expect((await ended(self, next))['status']).toBe('succeeded');
});

test('documents that leave the list meanwhile hide none of the others, and the total stays what it was', async () => {
  const pending = { status: 'pending', late: false };
  documents.invoices = Array.from({ length: 60 }, (_, n) => invoice(n, { issue_date: '2026-01-05', fiscal: { ...pending } }));
  let pages = 0;
  documents.before = (path) => {
    if (path !== '/invoices') return;
    pages += 1;
    for (const one of pages % 3 === 0 ? documents.invoices.slice(pages - 3, pages) : []) one.fiscal = { status: 'registered', late: false };
  };
  const { self } = await owner();
  const { job, files } = await exported(self, { kind: 'jsonl', fiscal_statuses: ['pending'] });
  const [lines] = [...files.values()].map((file) => file.toString().trimEnd().split('\n'));
  const found = new Set(lines?.map((line) => (JSON.parse(line) as StubDocument).id));
  const missing = documents.invoices.filter(({ id, fiscal }) => fiscal?.status === 'pending' && !found.has(id));
  expect([missing, found.size]).toEqual([[], lines?.length]);
  expect(documents.invoices.some(({ fiscal }) => fiscal?.status === 'registered')).toBe(true);
  expect(job).toMatchObject({ status: 'succeeded', done: found.size, total: 60 });
});

test('exports leave the account as much storage as they take: a large one fails, and nothing else is refused', async () => {
  const { self, account, call } = await owner();
  const large = () => randomBytes(75_000).toString('base64');
  documents.invoices = documents.invoices.map((one) => ({ ...one, customer: { name: large(), tax_id: null } }));
  await edge.gateway.accounts.store.accounts.claim({ _id: account }, { set: { limits: { storage: 4 * 1024 * 1024 } } });
  edge.gateway.accounts.forget(account);
  const create = () => call('POST', '/v1/customers', { body: { name: 'Ana' } });
  const { id } = (await begin(self, { kind: 'jsonl' })).body;
  expect(await ended(self, id)).toMatchObject({ status: 'failed', reason: { code: 'storage_quota_exceeded' } });
  await edge.gateway.storage.refresh();
  // The audit and responses count too.
  const stored = () => edge.gateway.storage.bytes({ account, limits: { storage: 4 * 1024 * 1024 } });
  expect([(await create()).status, stored() < 50_000]).toEqual([201, true]);
  const small = await exported(self, { kind: 'jsonl', to: '2026-01-05' });
  await edge.gateway.storage.refresh();
  expect(Math.abs(stored() - (small.job['bytes'] as number))).toBeLessThan(50_000);
  expect((await create()).status).toBe(201);
});

test('ended by its member in the middle its pieces go, and the next one runs', async () => {
  const { self, account } = await owner();
  const viewer = await invited(self, 'viewer');
  let go: () => void = () => undefined;
  let printed = 0;
  documents.before = (path) =>
    path.endsWith('/pdf') && (printed += 1) === 30 ? new Promise<void>((resolve) => (go = resolve)) : undefined;
  const { id } = (await begin(viewer.self, { kind: 'pdf' })).body;
  await until(async () => {
    await edge.clock.advance(1_000);
    return printed === 30;
  });
  const next = (await begin(self)).body['id'];
  const stopped = await viewer.self.call('DELETE', `/exports/${String(id)}`, test1);
  expect([stopped.status, stopped.body['status'], stopped.body['reason']]).toMatchObject([200, 'failed', { code: 'stopped' }]);
  go();
  const { bytes } = (await ended(self, next)) as { bytes: number };
  expect(await read(self, id)).toMatchObject({ status: 'failed', url: null, bytes: 0 });
  const row = (await edge.gateway.exports.exports.get(String(id)))!;
  const pieces = async () => (await Array.fromAsync(edge.gateway.exports.pieces.find({}))).filter(({ _id }) => _id.startsWith(row._id));
  await until(async () => (await pieces()).length === 0);
  await edge.gateway.storage.refresh();
  expect(Math.abs(edge.gateway.storage.bytes({ account, limits: { storage: 1 } }) - bytes)).toBeLessThan(50_000);
});

test('who may read receipts alone exports those, and sees no other export', async () => {
  const { self } = await owner();
  const till = await invited(self, 'cashier');
  const [of, all] = [await begin(till.self, { types: ['receipt'] }), await begin(till.self)];
  expect([code(of), code(all)]).toEqual(['201', '403 insufficient_permissions']);
  const { id, total, url } = await ended(till.self, of.body['id']);
  expect([total, [...unzip((await open(url)).bytes).keys()]]).toEqual([1, ['documents-2026-01-01-2026-01-31.csv']]);
  const other = (await exported(self)).job['id'];
  const listed = async (who: Browser) => ((await who.call('GET', '/exports', test1)).body['data'] as { id: string }[]).map((one) => one.id);
  expect([await listed(till.self), await listed(self)]).toEqual([[id], [other, id]]);
  expect(code(await till.self.call('GET', `/exports/${String(other)}`, test1))).toBe('403 insufficient_permissions');
});
