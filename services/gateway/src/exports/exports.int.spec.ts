import { settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { exportsOf, idOf, invoice, january } from '../testing/exports-of.ts';
import { stubDocuments } from '../testing/stub-documents.ts';
import { unzip } from '../testing/unzip.ts';

const documents = stubDocuments();
let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start({ documents })));
afterAll(() => edge.stop());
beforeEach(() => void Object.assign(documents, stubDocuments(), january()));
const { owner, invited } = consoleOf(() => edge);
const { begin, read, ended, open, exported } = exportsOf(() => edge);
const test1 = { livemode: false };
const days = { from: '2026-01-01', to: '2026-01-31' };

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

test('the ZIP of a clock that was ahead is kept for a day, too, once the clock is set back', async () => {
  const now = edge.clock.now.bind(edge.clock);
  let ahead = 20 * 24 * 3_600_000;
  edge.clock.now = () => now() + ahead;
  const { self } = await owner();
  const { id } = (await exported(self, { kind: 'jsonl' })).job as { id: string };
  await edge.clock.advance(20_000);
  ahead = 0;
  const { exports: rows } = edge.gateway.exports;
  const isKeptForADay = async (): Promise<boolean> => {
    const left = ((await rows.get(id))?.next_at ?? 0) - edge.clock.now();
    return left > 0 && left <= 24 * 3_600_000;
  };
  for (let n = 0; n < 30; n += 1) {
    if (await isKeptForADay()) break;
    await edge.clock.advance(10_000);
    await settleTurns(50);
  }
  expect(await isKeptForADay()).toBe(true);
  edge.clock.now = now;
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
