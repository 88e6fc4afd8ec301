import { createHash } from 'node:crypto';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { fixtureOf } from '@svc/contracts/events/fixtures';
import { parseEvent } from '@svc/contracts/events/parse';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { jsonNumber } from '@svc/kernel';
import { registrationRequested } from '../../testing/system.ts';
import { sandboxRecord } from './record.ts';

const request = { ...registrationRequested('inv_1'), issued_at: '2026-03-01T10:00:00.000Z', number: 'INV-2026-000001' };
const VERIFY = 'http://simulator/verify';

test('the same document gives the same bytes, and their hash', () => {
  const [one, two] = [sandboxRecord(request, VERIFY), sandboxRecord(structuredClone(request), VERIFY)];
  expect(two).toEqual(one);
  expect(one.sha256).toBe(createHash('sha256').update(one.record).digest('hex'));
});

test('what the caller calls it and how it is simulated are no part of it; what is sold is', () => {
  const { sha256 } = sandboxRecord(request, VERIFY);
  expect(sandboxRecord({ ...request, simulate: 'reject', round: 7 }, VERIFY).sha256).toBe(sha256);
  expect(sandboxRecord({ ...request, document: { ...request.document, total: 120.61 } }, VERIFY).sha256).not.toBe(sha256);
});

test('amounts are decimal text, exact beyond what a double holds', () => {
  const total = jsonNumber('123456789012.12345678');
  const record = JSON.parse(sandboxRecord({ ...request, document: { ...request.document, total } }, VERIFY).record) as Record<
    string,
    unknown
  >;
  expect([record['total'], record['subtotal'], record['tax_total']]).toEqual(['123456789012.12345678', '100.5', '20.1']);
});

test('it is late when registered after two days, or when the issuer says so', () => {
  expect(sandboxRecord(request, VERIFY).late_after).toBe('2026-03-03T10:00:00.000Z');
  expect(sandboxRecord({ ...request, late_reason: 'no network' }, VERIFY).late_after).toBe(request.issued_at);
});

test('a document whose issuer has no tax id can be written, to be refused', () => {
  const record = sandboxRecord({ ...request, issuer: { ...request.issuer, tax_id: null }, customer: null }, VERIFY);
  expect(JSON.parse(record.record)).toMatchObject({ issuer_tax_id: '', customer: null });
});

test('a receipt', () => {
  const { data } = parseEvent(fixtureOf('invoicing.cancellation-requested.v1')) as PublicEvent<{ document: ReceiptResource }>;
  const { record } = sandboxRecord({ ...request, kind: 'receipt', document: data.document }, VERIFY);
  expect(JSON.parse(record)).toMatchObject({ document_type: 'receipt', corrects: null, total: '120.6' });
});
