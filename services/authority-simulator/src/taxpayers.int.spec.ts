import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@svc/kernel';
import { Ledger } from './ledger.ts';
import { answering } from './requests.ts';
import { recordOf } from './testing/sandbox-client.ts';

let folder: string;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'taxpayers-'));
});
afterEach(() => {
  ledger.close();
  rmSync(folder, { recursive: true });
});
const open = (): void => {
  ledger = new Ledger(join(folder, 'ledger.sqlite'));
};

const document = { number: 'INV-1', issuer: 'J99216582' };
const key = createHash('sha256').update('sandbox tax authority, request signing key 1').digest();

/** What the authority answers to a taxpayer's call; none: a caller of release 0.1.0. */
async function call(taxpayer: string | undefined, method: string, path: string, content?: object) {
  const body = content ? JSON.stringify({ message_id: randomUUID(), ...content }) : '';
  const signature = createHmac('sha256', key).update([taxpayer, method, path, body].join('\n')).digest('base64');
  const headers = { 'x-message-id': randomUUID(), ...(taxpayer && { 'x-taxpayer': taxpayer, 'x-taxpayer-signature': signature }) };
  const answer = await answering(ledger, systemClock)({ method, path, headers, body });
  if (answer.dropped) throw new Error('dropped');
  return { http: answer.status, ...(JSON.parse(answer.body.toString()) as Record<string, unknown>) };
}
const recordHash = (total: string): string =>
  createHash('sha256')
    .update(recordOf({ ...document, total }))
    .digest('hex');
const register = (taxpayer: string | undefined, total = '12.5') =>
  call(taxpayer, 'POST', '/sandbox/v1/registrations', { record: recordOf({ ...document, total }), record_sha256: recordHash(total) });
const query = (taxpayer: string | undefined, total = '12.5') =>
  call(
    taxpayer,
    'GET',
    `/sandbox/v1/registrations?${new URLSearchParams({ document_number: document.number, issuer_tax_id: document.issuer, ...(taxpayer && { record_sha256: recordHash(total) }) })}`,
  );
const cancel = (taxpayer: string | undefined, total = '12.5') =>
  call(taxpayer, 'POST', '/sandbox/v1/cancellations', {
    ...{ document_number: document.number, issuer_tax_id: document.issuer, reason: 'entered twice' },
    ...(taxpayer && { record_sha256: recordHash(total) }),
  });

test('one number and tax id is a document of each taxpayer', async () => {
  open();
  expect(await register('test.a')).toMatchObject({ status: 'registered' });
  expect(await query('test.b', '9')).toMatchObject({ status: 'absent' });
  expect(await register('test.b', '9')).toMatchObject({ status: 'registered' });
  expect(await cancel('test.b', '9')).toMatchObject({ status: 'cancelled' });
  expect(await query('test.a')).toMatchObject({ status: 'registered', voided_at: null });
});

test('a call with the signature of another one is not answered as the authority', async () => {
  open();
  const headers = { 'x-taxpayer': 'test.a', 'x-taxpayer-signature': Buffer.alloc(32).toString('base64') };
  const record = { message_id: 'm', record: recordOf(document), record_sha256: recordHash('12.5') };
  const answer = await answering(
    ledger,
    systemClock,
  )({ method: 'POST', path: '/sandbox/v1/registrations', headers, body: JSON.stringify(record) });
  expect(answer).toMatchObject({ status: 401, headers: expect.not.objectContaining({ 'x-signature': expect.anything() }) });
  expect(await query('test.a')).toMatchObject({ status: 'absent' });
});

test('the link on a printed document shows that one', async () => {
  open();
  const [a, b] = [await register('test.a'), await register('test.b', '9')];
  const link = async (total: string) => {
    const { issuer_code } = JSON.parse(recordOf({ ...document, total })) as { issuer_code: string };
    return call(undefined, 'GET', `/sandbox/v1/verify?number=${document.number}&issuer=${document.issuer}&code=${issuer_code}`);
  };
  expect([await link('12.5'), await link('9'), await link('8')]).toMatchObject([
    { registered: true, code: (a as unknown as { code: string }).code },
    { registered: true, code: (b as unknown as { code: string }).code },
    { registered: false },
  ]);
});

describe('a ledger of release 0.1.0', () => {
  beforeEach(() => {
    const db = new DatabaseSync(join(folder, 'ledger.sqlite'));
    db.exec(`CREATE TABLE registrations (seq INTEGER PRIMARY KEY AUTOINCREMENT, document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL,
        code TEXT NOT NULL, record_sha256 TEXT NOT NULL, registered_at TEXT NOT NULL, voided_at TEXT, UNIQUE (document_number, issuer_tax_id));
      CREATE TABLE received (seq INTEGER PRIMARY KEY, document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL, at TEXT NOT NULL, record_sha256 TEXT NOT NULL);
      CREATE INDEX received_of ON received (document_number, issuer_tax_id);
      CREATE TABLE calls (document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL, simulate TEXT NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (document_number, issuer_tax_id, simulate));
      INSERT INTO registrations VALUES (7, 'INV-1', 'J99216582', 'old', '${recordHash('12.5')}', '2026-03-01T10:00:00.000Z', NULL);
      INSERT INTO received VALUES (1, 'INV-1', 'J99216582', '2026-03-01T10:00:00.000Z', '${recordHash('12.5')}');
      INSERT INTO calls VALUES ('INV-1', 'J99216582', 'unavailable:3', 2)`);
    db.close();
    open();
  });

  test('is read as it is, and its documents are found by their records', async () => {
    const [row] = ledger.page(0, 10).data;
    expect(row).toMatchObject({ code: 'old', received: [{ record_sha256: recordHash('12.5') }] });
    expect(await register('test.a')).toMatchObject({ status: 'registered', code: 'old' });
    expect(await cancel('test.a')).toMatchObject({ status: 'cancelled', code: 'old' });
  });

  test('does not keep other taxpayers from registering another record under the same number', async () => {
    expect(await query('test.b', '9')).toMatchObject({ status: 'absent' });
    expect(await register('test.b', '9')).toMatchObject({ status: 'registered' });
  });

  test('serves services of 0.1.0 beside those of today, with one registration of each document', async () => {
    expect(await register(undefined)).toMatchObject({ status: 'registered', code: 'old' });
    const { code } = (await register('test.b', '9')) as unknown as { code: string };
    expect(await cancel(undefined)).toMatchObject({ status: 'cancelled', code: 'old' });
    expect(ledger.page(0, 10)).toMatchObject({ total: 2 });
    expect(ledger.page(0, 10).data.map((row) => row.code)).toEqual(['old', code]);
  });
});
