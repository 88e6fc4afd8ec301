import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { type Browser, code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { stubDocuments, type StubDocument } from '../testing/stub-documents.ts';
import { unzip } from '../testing/unzip.ts';

const documents = stubDocuments();
let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start({ documents })));
afterAll(() => edge.stop());
const { owner, invited } = consoleOf(() => edge);

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;
const invoice = (n: number, over: Partial<StubDocument> = {}): StubDocument => ({
  ...{
    id: idOf('inv', n),
    number: `INV-2026-${n}`,
    type: 'standard',
    status: 'submitted',
    issue_date: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
  },
  ...{ customer: { name: '=SUM(A1)', tax_id: null }, total: n },
  ...over,
});
beforeEach(() => {
  Object.assign(documents, stubDocuments());
  documents.invoices = Array.from({ length: 60 }, (_, n) => invoice(n));
  documents.receipts = [invoice(100, { id: idOf('rcp', 1), number: 'RCP-2026-1', type: 'receipt', status: 'issued' })];
});

const test1 = { livemode: false };
const days = { from: '2026-01-01', to: '2026-01-31' };
const begin = (who: Browser, body: object = {}, livemode = false) =>
  who.call('POST', '/exports', { livemode, body: { kind: 'csv', ...days, ...body } });
const read = async (who: Browser, id: unknown) => (await who.call('GET', `/exports/${String(id)}`, test1)).body;
/** Moves the clock until it has ended. */
async function ended(who: Browser, id: unknown) {
  for (let n = 0; n < 200; n += 1) {
    const job = await read(who, id);
    if (job['ended_at'] !== null) return job;
    await edge.clock.advance(1_000);
    await settleTurns(50);
  }
  throw new Error('it does not end');
}
const open = async (url: unknown) => {
  const { pathname } = new URL(String(url));
  const answer = await fetch(`http://127.0.0.1:${edge.port}${pathname}`);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const exported = async (who: Browser, body: object = {}) => {
  const job = await ended(who, (await begin(who, body)).body['id']);
  return { job, files: unzip((await open(job['url'])).bytes) };
};

test('a CSV has a line for each document with a number, of invoices and receipts, with texts guarded against formulas', async () => {
  documents.invoices.push(invoice(61, { number: null, status: 'voided' }), invoice(62, { status: 'draft' }));
  const { self } = await owner();
  const { job, files } = await exported(self);
  expect(job).toMatchObject({ status: 'succeeded', done: 61, total: 61, missing: [], reason: null, created_by: { name: 'Ana' } });
  const [[name, csv]] = [...files] as [[string, Buffer]];
  const lines = csv.toString().trimEnd().split('\r\n');
  expect([name, lines.length, csv.subarray(0, 3).toString('hex')]).toEqual(['documents-2026-01-01-2026-01-31.csv', 62, 'efbbbf']);
  const [cells, blank] = [[idOf('inv', 0), 'standard', 'INV-2026-0', 'submitted', '2026-01-01'], (n: number) => Array<string>(n).fill('')];
  expect(lines[1]).toBe([...cells, ...blank(2), "'=SUM(A1)", ...blank(7), '0', ...blank(8)].join(','));
});

test('the ZIP opens by its link alone, for 15 minutes, and is removed a day later with its pieces', async () => {
  const { self } = await owner();
  const { url, id, bytes } = (await exported(self, { kind: 'jsonl' })).job as { url: string; id: string; bytes: number };
  const opened = await open(url);
  expect([opened.status, opened.bytes.length, opened.headers.get('content-length')]).toEqual([200, bytes, String(bytes)]);
  expect(opened.headers.get('content-type')).toBe('application/zip');
  expect(opened.headers.get('content-disposition')).toBe('attachment; filename="jsonl-2026-01-01-2026-01-31.zip"');
  expect((await open(`${url}x`)).status).toBe(404);
  await edge.clock.advance(15 * 60_000);
  expect((await open(url)).status).toBe(404);
  const later = (await read(self, id))['url'];
  expect([later === url, (await open(later)).status]).toEqual([false, 200]);
  const { exports: rows } = edge.gateway.exports;
  const { expires_at: end, ended_at: from } = (await read(self, id)) as { expires_at: string; ended_at: string };
  expect(Date.parse(end) - Date.parse(from)).toBe(24 * 3_600_000);
  await rows.claim({ _id: id }, { set: { next_at: edge.clock.now(), due_at: edge.clock.now() } });
  await edge.clock.advance(1_000);
  await until(async () => (await rows.get(id)) === undefined);
  const pieces = await Array.fromAsync(edge.gateway.exports.pieces.find({}));
  expect(pieces.filter(({ _id }) => _id.startsWith(id))).toEqual([]);
});

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

test('PDFs are named by their numbers; a document that has none is named as missing', async () => {
  documents.unprintable.add(idOf('inv', 3));
  const { self } = await owner();
  const { job, files } = await exported(self, { kind: 'pdf', types: ['standard'], to: '2026-01-05' });
  expect(job).toMatchObject({ done: 14, total: 14, missing: [{ id: idOf('inv', 3), code: 'not_representable' }] });
  expect(files.size).toBe(13);
  expect(files.get('INV-2026-28.pdf')?.toString()).toBe(`%PDF- of ${idOf('inv', 28)}`);
});

test('kill -9 in the middle: it goes on where it was, and each document is in it once', async () => {
  const { self } = await owner();
  let printed = 0;
  let crash: () => void = () => undefined;
  const crashed = new Promise<void>((resolve) => (crash = resolve));
  documents.before = (path) => {
    if (!path.endsWith('/pdf') || (printed += 1) !== 31) return undefined;
    crash();
    return new Promise<void>(() => undefined);
  };
  const { id } = (await begin(self, { kind: 'pdf' })).body;
  // A step ends at a time: what it has made is stored.
  const moving = (async () => {
    while (printed < 31) await edge.clock.advance(1_000);
  })();
  await crashed;
  await moving;
  await edge.crash();
  documents.before = () => undefined;
  const job = await ended(self, id);
  expect(job).toMatchObject({ status: 'succeeded', done: 61, total: 61 });
  expect(unzip((await open(job['url'])).bytes).size).toBe(60); // the stub prints no receipts
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

test('one of an account at a time; another account does not wait for it', async () => {
  const [one, other] = [await owner(), await owner()];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const [first, second] = [(await begin(one.self)).body['id'], (await begin(one.self, { kind: 'jsonl' })).body['id']];
  documents.before = () => gate;
  await edge.clock.advance(1_000);
  await until(async () => (await read(one.self, first))['status'] === 'running');
  expect((await read(one.self, second))['status']).toBe('queued');
  documents.before = () => undefined;
  open();
  expect((await ended(other.self, (await begin(other.self)).body['id']))['status']).toBe('succeeded');
  for (const id of [first, second]) expect((await ended(one.self, id))['status']).toBe('succeeded');
  const { body } = await one.self.call('GET', '/exports', test1);
  expect((body['data'] as { id: string; url: null }[]).map(({ id, url }) => [id, url])).toEqual([
    [second, null],
    [first, null],
  ]);
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

test('it ends with the rights of its member, and so do its links', async () => {
  const { self } = await owner();
  const viewer = await invited(self, 'viewer');
  const { id, url } = (await exported(viewer.self)).job;
  const waiting = (await begin(viewer.self)).body['id'];
  await self.call('PATCH', `/members/${viewer.id}`, { body: { role: 'cashier' } });
  expect((await open(url)).status).toBe(404);
  expect(await read(self, id)).toMatchObject({ status: 'succeeded', url: null });
  expect(await ended(self, waiting)).toMatchObject({ status: 'failed', reason: { code: 'insufficient_permissions' }, url: null });
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

test('who sees no personal data makes and reads none; live needs the password again; both are in the audit', async () => {
  const { self } = await owner();
  const developer = await invited(self, 'developer');
  expect(code(await begin(developer.self, {}, true))).toBe('403 insufficient_permissions');
  for (const path of ['/exports', `/exports/${idOf('exp', 0)}`])
    expect(code(await developer.self.call('GET', path, { livemode: true }))).toBe('403 insufficient_permissions');
  expect(code(await begin(developer.self))).toBe('201');
  await edge.clock.advance(11 * 60_000);
  expect(code(await begin(self, {}, true))).toBe('403 step_up_required');
  const { id } = (await begin(self, { q: 'Heron' })).body;
  await ended(self, id);
  await until(async () => {
    const { body } = await self.call('GET', `/audit?target=${String(id)}`);
    return JSON.stringify(body['data']).includes('export.created') && !JSON.stringify(body['data']).includes('Heron');
  });
});

test('another environment and account have no such job; a repeat of the request is the same one', async () => {
  const [{ self }, other] = [await owner(), await owner()];
  const sent = { ...test1, body: { kind: 'csv', ...days }, headers: { 'idempotency-key': 'k' } };
  const [first, again] = [await self.call('POST', '/exports', sent), await self.call('POST', '/exports', sent)];
  expect([again.body['id'], again.headers['idempotent-replayed']]).toEqual([first.body['id'], 'true']);
  for (const answer of [
    await other.self.call('GET', `/exports/${String(first.body['id'])}`, test1),
    await self.call('GET', `/exports/${String(first.body['id'])}`, { livemode: true }),
  ])
    expect(code(answer)).toBe('404 not_found');
});

test('days in the wrong order, a customer that is not there and more than 10 of a member that wait are refused', async () => {
  const { self } = await owner();
  expect(Object.keys((await begin(self, { to: '2025-12-31' })).body.error?.details ?? {})).toEqual(['to']);
  expect(Object.keys((await begin(self, { customer_id: idOf('cust', 1) })).body.error?.details ?? {})).toEqual(['customer_id']);
  expect(Object.keys((await begin(self, { types: ['secret'] })).body.error?.details ?? {})).toEqual(['types']);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  documents.before = (path) => (path.endsWith('/pdf') ? gate : undefined);
  const begun = [];
  for (let n = 0; n < 10; n += 1) begun.push(await begin(self, { kind: 'pdf', types: ['standard'], to: '2026-01-01' }));
  expect(begun.map(code)).toEqual(begun.map(() => '201'));
  expect(code(await begin(self))).toBe('422 invalid_state');
  open();
  for (const { body } of begun) await ended(self, body['id']);
});
