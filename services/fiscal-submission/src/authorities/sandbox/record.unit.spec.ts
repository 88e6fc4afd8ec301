import { createHash } from 'node:crypto';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { fixtureOf } from '@svc/contracts/testing/fixtures';
import { parseEvent } from '@svc/contracts/testing/parse';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { jsonNumber } from '@svc/kernel';
import { registrationRequested } from '../../testing/system.ts';
import { sandboxRecord } from './record.ts';

const request = { ...registrationRequested('inv_1'), issued_at: '2026-03-01T10:00:00.000Z', number: 'INV-2026-000001' };
const VERIFY = 'http://simulator/verify';

test('gives the same bytes and hash for the same document', () => {
  const [one, two] = [sandboxRecord(request, VERIFY), sandboxRecord(structuredClone(request), VERIFY)];
  expect(two).toEqual(one);
  expect(one.sha256).toBe(createHash('sha256').update(one.record).digest('hex'));
});

test('omits the caller’s id and the simulation, and includes what is sold', () => {
  const { sha256 } = sandboxRecord(request, VERIFY);
  expect(sandboxRecord({ ...request, simulate: 'reject', round: 7 }, VERIFY).sha256).toBe(sha256);
  expect(sandboxRecord({ ...request, document: { ...request.document, total: 120.61 } }, VERIFY).sha256).not.toBe(sha256);
});

test('writes amounts as exact decimal text, beyond the precision of a double', () => {
  const total = jsonNumber('123456789012.12345678');
  const record = JSON.parse(sandboxRecord({ ...request, document: { ...request.document, total } }, VERIFY).record) as Record<
    string,
    unknown
  >;
  expect([record['total'], record['subtotal'], record['tax_total']]).toEqual(['123456789012.12345678', '100.5', '20.1']);
});

test('marks a registration as late after two days, or from the start when the issuer gives a reason', () => {
  expect(sandboxRecord(request, VERIFY).late_after).toBe('2026-03-03T10:00:00.000Z');
  expect(sandboxRecord({ ...request, late_reason: 'no network' }, VERIFY).late_after).toBe(request.issued_at);
});

test('makes a record without the issuer’s tax id, for the authority to reject', () => {
  const record = sandboxRecord({ ...request, issuer: { ...request.issuer, tax_id: null }, customer: null }, VERIFY);
  expect(JSON.parse(record.record)).toMatchObject({ issuer_tax_id: '', customer: null });
});

test('says what kind of invoice it is and what it corrects; a corrective has signed amounts', () => {
  const recordOf = (over: object): unknown =>
    JSON.parse(sandboxRecord({ ...request, document: { ...request.document, ...over } as typeof request.document }, VERIFY).record);
  const corrects = 'inv_01jqz5rk4e7000000000000009';
  expect(recordOf({ type: 'credit_note', corrects })).toMatchObject({ document_type: 'credit_note', corrects, total: '120.6' });
  expect(recordOf({ type: 'corrective', corrects, total: -60.3 })).toMatchObject({ document_type: 'corrective', corrects, total: '-60.3' });
});

test('makes the record of a receipt', () => {
  const { data } = parseEvent(fixtureOf('invoicing.cancellation-requested.v1')) as PublicEvent<{ document: ReceiptResource }>;
  const { record } = sandboxRecord({ ...request, kind: 'receipt', document: data.document }, VERIFY);
  expect(JSON.parse(record)).toMatchObject({ document_type: 'receipt', corrects: null, total: '120.6' });
});
