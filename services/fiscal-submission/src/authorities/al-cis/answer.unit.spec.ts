import { certified, type Certified } from '../../xml/testing/certificates.ts';
import { albania } from './albania.ts';
import { readCisAnswer, signedAt } from './answer.ts';
import { uuid4 } from './message.ts';
import { answer, fault, openingAnswer } from './testing/service.ts';

const nais = certified({ name: 'Test NAIS', isAuthority: true });
const service = certified({ name: 'GDT eFiskalizimi' }, nais);
const of = { namespace: albania.namespace, trust: { anchors: [nais.pem], signer: 'GDT eFiskalizimi' } };
const ID = '01984d2e-1c2b-7abc-8def-001122334455';
const FIC = '11111111-2222-4333-8444-555555555555';

const read = (text: string, body = '<x/>') =>
  readCisAnswer({ id: ID, kind: 'submit', body }, { status: 200, headers: {}, body: Buffer.from(text) }, of);

test('a signed FIC to this message registers the invoice; the message says whether it was late', () => {
  const text = answer(service, uuid4(ID), FIC);
  const registered = { kind: 'registered', code: FIC, registered_at: '2026-03-01T10:00:01.000Z', warnings: [] };
  expect(read(text)).toEqual({ ...registered, late: false });
  expect(read(text, '<Header SubseqDelivType="SERVICE"/>')).toEqual({ ...registered, late: true });
});

test('an answer says when it was signed, a fault does not', () => {
  const at = (text: string): number => signedAt({ body: Buffer.from(text) });
  expect(at(answer(service, uuid4(ID), FIC))).toBe(Date.parse('2026-03-01T10:00:01Z'));
  expect(at(openingAnswer(service, uuid4(ID), FIC))).toBe(Date.parse('2026-03-01T10:00:01Z'));
  expect([signedAt(fault('2', 'clock', uuid4(ID))), at('')]).toEqual([NaN, NaN]);
});

const signedBy = (signer: Certified): string => answer(signer, uuid4(ID), FIC);
test.each([
  ['another name', () => signedBy(certified({ name: 'Someone' }, nais))],
  ['another authority', () => signedBy(certified({ name: 'GDT eFiskalizimi' }, certified({ name: 'Test NAIS', isAuthority: true })))],
  ['a certificate of its own', () => signedBy(certified({ name: 'GDT eFiskalizimi' }))],
  ['a certificate that had expired', () => signedBy(certified({ name: 'GDT eFiskalizimi', until: new Date('2026-02-28') }, nais))],
  ['the issuer of certificates itself', () => signedBy(nais)],
  ['a changed code', () => signedBy(service).replace(FIC, FIC.replace('1', '9'))],
  ['a changed request', () => answer(service, uuid4(ID), FIC).replace(uuid4(ID), uuid4(ID).replace('0', '9'))],
  ['no signature', () => signedBy(service).replace(/<Signature.*<\/Signature>/, '')],
  ['another reference', () => signedBy(service).replace('#Response', '#Other')],
  ['an algorithm that is not prescribed', () => signedBy(service).replace('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha512')],
])('an answer with %s proves nothing', (_what, text) => {
  expect(read(text())).toMatchObject({ kind: 'unknown' });
});

test('what stands beside the signed element is not read', () => {
  const wrapped = signedBy(service).replace(
    '<soapenv:Body>',
    `<soapenv:Body><RegisterInvoiceResponse xmlns="x"><FIC>${ID}</FIC></RegisterInvoiceResponse>`,
  );
  expect(read(wrapped)).toMatchObject({ kind: 'unknown' });
});

test('an answer to another message is not ours', () => {
  expect(read(answer(service, uuid4(ID).replace('0', '9'), FIC))).toMatchObject({ kind: 'unknown', error: { code: 'wrong_request' } });
});

test.each([
  ['11', { kind: 'rejected', error: { code: '11', fixable: 'data' } }],
  ['40', { kind: 'rejected', error: { code: '40', fixable: 'data' } }],
  ['60', { kind: 'rejected', error: { code: '60', fixable: 'data' } }],
  ['41', { kind: 'rejected', error: { code: '41', fixable: 'setup' } }],
  ['30', { kind: 'rejected', error: { code: '30', fixable: 'setup' } }],
  ['77', { kind: 'rejected', error: { code: '77', fixable: 'setup' } }],
  ['36', { kind: 'deferred', error: { code: '36' }, fixable: 'credentials' }],
  ['38', { kind: 'deferred', error: { code: '38' }, fixable: 'credentials' }],
  ['2', { kind: 'deferred', error: { code: '2' }, fixable: 'setup' }],
  ['900', { kind: 'unknown', error: { code: '900' } }],
  ['', { kind: 'unknown' }],
])('the fault %s', (code, result) => {
  expect(read(fault(code, 'Reason.', uuid4(ID)).body.toString())).toMatchObject(result);
});

test('a fault that speaks of a duplicate wants a person, whatever its code', () => {
  expect(read(fault('60', 'Invoice is already registered.', uuid4(ID)).body.toString())).toMatchObject({ kind: 'foreign' });
});

test('a fault about another message says nothing of this one', () => {
  expect(read(fault('11', 'Reason.', uuid4(ID).replace('0', '9')).body.toString())).toMatchObject({ kind: 'unknown' });
});

test.each(['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a', ''])('%j is no XML that is read', (text) => {
  expect(() => read(text)).toThrow();
});

test('the opening of a till is registered by its signed code, or because it is open already', () => {
  const opened = (text: string) =>
    readCisAnswer({ id: ID, kind: 'deposit', body: '<x/>' }, { status: 200, headers: {}, body: Buffer.from(text) }, of);
  expect(opened(openingAnswer(service, uuid4(ID), FIC))).toMatchObject({ kind: 'registered', code: FIC });
  expect(opened(fault('56', 'Already registered.', uuid4(ID)).body.toString())).toMatchObject({ kind: 'registered' });
  expect(opened(answer(service, uuid4(ID), FIC))).toMatchObject({ kind: 'unknown' });
  expect(opened(fault('53', 'TCR.', uuid4(ID)).body.toString())).toMatchObject({ kind: 'rejected', error: { fixable: 'setup' } });
});
