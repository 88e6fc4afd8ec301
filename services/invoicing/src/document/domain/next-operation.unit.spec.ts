import type { DocumentKind } from '@svc/contracts/documents';
import { parties } from '../../invoice/domain/testing/samples.ts';
import { pending, type Fiscal } from './fiscal.ts';
import { checkWindow, deadlineOf, nextStepOf, type Underway } from './next-operation.ts';

const issued_at = '2026-01-31T23:30:00.000Z'; // 1 February in Tirana
const at = (authority: string, over: Partial<Fiscal>, more: Partial<Underway> = {}): Underway => ({
  status: 'submitting',
  updated_at: issued_at,
  issue: { number: '1/2026', seq: 1, issued_at },
  parties: { ...parties, issuer: { ...parties.issuer, authority: authority as 'al-cis' } },
  fiscal: { ...pending(authority), ...over },
  isReversal: false,
  available: [],
  ...more,
});
const error = (fixable: 'data' | 'credentials' | 'setup' | null, code = 'E1') => ({ code, message: 'no', fixable });
const next = (kind: DocumentKind, over: Partial<Fiscal>, more: Partial<Underway> = {}) => nextStepOf(kind, at('al-cis', over, more));

describe('the next step', () => {
  test.each<[string, DocumentKind, Partial<Fiscal>, string | undefined]>([
    ['under way', 'invoice', {}, 'wait'],
    ['in doubt', 'invoice', { status: 'unknown' }, 'wait'],
    ['under review', 'receipt', { status: 'needs_review' }, 'wait'],
    ['rejected for its data', 'invoice', { status: 'rejected', error: error('data') }, 'submit'],
    ['rejected without a cause', 'invoice', { status: 'rejected', error: error(null) }, 'submit'],
    ['a receipt rejected for its data', 'receipt', { status: 'rejected', error: error('data') }, 'void'],
    ['rejected for the certificate', 'receipt', { status: 'rejected', error: error('credentials') }, 'submit'],
    ['registered', 'invoice', { status: 'registered' }, undefined],
    ['registered, with another warning', 'invoice', { status: 'registered', warnings: [{ code: '2004', message: 'late' }] }, undefined],
    ['registered, its customer unknown', 'invoice', { status: 'registered', warnings: [{ code: '2001', message: '?' }] }, 'credit_note'],
    ['cancelled', 'invoice', { status: 'cancelled' }, undefined],
  ])('of one %s', (_what, kind, over, operation) => expect(next(kind, over)?.operation).toBe(operation));

  test('names what a waiting document lacks', () => {
    expect(next('invoice', { error: error('credentials') })?.reason).toContain('PUT /v1/fiscal-credentials');
    expect(next('invoice', { status: 'needs_review' })?.reason).toContain('POST /v1/invoices/{id}/resolve');
  });

  test('beyond the deadline is the reason that is open longer, and then the way by hand', () => {
    const passed = { status: 'rejected' as const, error: error('setup', 'deadline_passed') };
    expect(next('invoice', passed)).toMatchObject({ operation: 'submit', reason: expect.stringContaining('2026-03-10T22:59:59.999Z') });
    expect(next('invoice', passed, { late_reason: 'no_internet' })).toMatchObject({ operation: 'manual_upload' });
  });

  test('beyond every window, at its last event, is the way by hand, unless its data are wrong for good', () => {
    const late = { updated_at: '2026-03-10T23:00:00.000Z' };
    for (const over of [error('setup', 'deadline_passed'), error('data'), error('credentials')])
      expect(next('invoice', { status: 'rejected', error: over }, late)).toMatchObject({ operation: 'manual_upload' });
    expect(next('receipt', { status: 'rejected', error: error('data') }, late)).toMatchObject({ operation: 'void' });
  });

  test.each<[DocumentKind, Partial<Fiscal>, string[], string[]]>([
    ['receipt', {}, ['void'], ['submit', 'corrective', 'credit_note']],
    ['invoice', {}, [], ['submit', 'void', 'corrective', 'credit_note']],
    ['receipt', { status: 'unknown' }, ['void', 'resolve'], ['submit', 'corrective', 'credit_note']],
    ['invoice', { status: 'registered', warnings: [{ code: '2001', message: '?' }] }, ['void'], ['submit']],
    ['invoice', { status: 'rejected', error: error('setup', 'deadline_passed') }, ['submit', 'void'], ['corrective', 'credit_note']],
    ['receipt', { status: 'rejected', error: error('setup', 'deadline_passed') }, ['resubmit'], ['corrective', 'credit_note']],
  ])('closes nothing that is available of a %s: %j', (kind, over, available, closed) => {
    const { closed: found } = next(kind, over, { available, late_reason: 'no_internet' }) ?? {};
    expect(Object.keys(found ?? {})).toEqual(closed);
  });

  test('is none of what is void, nor of the corrective by which another one is voided', () => {
    expect(next('receipt', { status: 'rejected', error: error('data') }, { status: 'voided' })).toBeUndefined();
    expect(next('invoice', { status: 'rejected', error: error('data') }, { isReversal: true })).toBeUndefined();
  });
});

test('the deadline is two days after the issue, and the 10th of the next month without internet; there is none once it is registered', () => {
  expect(deadlineOf(at('al-cis', {}))).toBe('2026-02-02T23:30:00.000Z');
  expect(deadlineOf(at('me-efi', {}, { late_reason: 'no_internet' }))).toBe('2026-03-10T22:59:59.999Z');
  expect(deadlineOf(at('al-cis', { status: 'rejected', error: error('data') }))).toBe('2026-02-02T23:30:00.000Z');
  expect(deadlineOf(at('al-cis', { status: 'registered' }))).toBeUndefined();
  expect([deadlineOf(at('es-verifactu', {})), deadlineOf(at('sandbox', {}))]).toEqual([undefined, undefined]);
});

describe('a submission again', () => {
  const again = (time: string, late_reason: string | null, authority = 'al-cis') =>
    checkWindow({ at: time, authority, issued_at, late_reason });

  test('is free until the end of its window, and where the authority sets none', () => {
    expect(() => again('2026-02-02T23:30:00.000Z', null)).not.toThrow();
    expect(() => again('2026-03-10T22:59:59.999Z', 'no_internet')).not.toThrow();
    expect(() => again('2027-01-01T00:00:00.000Z', null, 'es-verifactu')).not.toThrow();
  });

  test('is refused afterwards, with the reason that is open longer, and then with the way by hand', () => {
    const soon =
      'The authority took it until 2026-02-02T23:30:00.000Z. If it was issued without internet, send late_reason no_internet until';
    expect(() => again('2026-02-02T23:30:00.001Z', null)).toThrow(soon);
    const never = 'The authority took it until 2026-03-10T22:59:59.999Z. Report it in the way that the authority names (manual_upload).';
    expect(() => again('2026-03-10T23:00:00.000Z', 'no_internet')).toThrow(never);
  });
});
