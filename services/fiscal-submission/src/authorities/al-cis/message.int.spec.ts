import { verify } from 'node:crypto';
import type { Element as DomElement } from '@xmldom/xmldom';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import type { Envelope } from '../../submission/authority.ts';
import { childOf, childrenOf, parseXml, soapBody } from '../../xml/parse.ts';
import { certified } from '../../xml/testing/certificates.ts';
import { schemaOf, schemas } from '../../xml/testing/schema.ts';
import { verifiedElement } from '../../xml/verify.ts';
import { alCis } from './al-cis.ts';
import { albania } from './albania.ts';
import { iicText } from './codes.ts';
import { uuid4 } from './message.ts';
import { cisDraft } from './record.ts';
import { alInvoice, alReceipt, ISSUED_AT, original, shapes } from './testing/documents.ts';

const NAMESPACE = albania.namespace;
const nais = certified({ name: 'Test NAIS', isAuthority: true });
const taxpayer = certified({ name: 'Test taxpayer' }, nais);
const authority = alCis({
  origin: 'https://service.test',
  page: 'https://page.test/invoice-check',
  trust: { anchors: [nais.pem], signer: 'x' },
});
const ID = '01984d2e-1c2b-7abc-8def-001122334455';

function prepared(request: RegistrationRequested) {
  const draft = cisDraft(request, albania);
  const signature = taxpayer.sign(iicText(draft.of));
  const deadline = authority.deadline(request.issued_at, request.late_reason);
  return { draft, signature, record: { ...authority.complete(draft, { link: null, signature }), deadline } };
}

function sent(request: RegistrationRequested, over: Partial<Envelope> = {}): string {
  const { record } = prepared(request);
  const envelope = { taxpayer: 'test.a', id: ID, sentAt: ISSUED_AT, repeated: false, firstSentAt: null, ...over };
  const rendered = authority.render({} as never, record, envelope);
  if (!('text' in rendered)) throw new Error('it is signed');
  return rendered.signedWith(taxpayer.sign(rendered.text)).body ?? '';
}

const requestIn = (body: string): DomElement => soapBody(parseXml(body)) as DomElement;
const invoiceIn = (body: string): DomElement => childOf(requestIn(body), NAMESPACE, 'Invoice') as DomElement;
const headerIn = (body: string): DomElement => childOf(requestIn(body), NAMESPACE, 'Header') as DomElement;
const attributesOf = (element: DomElement | undefined): Record<string, string> =>
  Object.fromEntries(Array.from(element?.attributes ?? [], ({ name, value }) => [name, value]));
const itemsIn = (body: string): DomElement[] => childrenOf(childOf(invoiceIn(body), NAMESPACE, 'Items') as DomElement);
const cents = (texts: (string | null | undefined)[]): number => texts.reduce((sum, text) => sum + Math.round(Number(text ?? 0) * 100), 0);

describe.each(Object.entries(shapes))('%s', (_name, request) => {
  const body = sent(request);
  const invoice = invoiceIn(body);
  const of = attributesOf(invoice);

  test('bears a signature that another implementation verifies', () => {
    const trust = { anchors: [nais.pem], signer: 'Test taxpayer' };
    expect(verifiedElement(requestIn(body), 'Request', trust, Date.parse(ISSUED_AT))?.localName).toBe('RegisterInvoiceRequest');
  });

  test('bears the code of what it states', () => {
    const { draft, signature, record } = prepared(request);
    expect(verify('sha256', Buffer.from(iicText(draft.of)), taxpayer.key, signature.signature)).toBe(true);
    expect(of['IIC']).toBe(record.issuer_code);
    const { nuis, issued, ordinal, unit, device, software, total } = draft.of;
    expect([of['IssueDateTime'], of['InvOrdNum'], of['BusinUnitCode'], of['TCRCode'] ?? null]).toEqual([issued, ordinal, unit, device]);
    expect([of['SoftCode'], of['TotPrice']]).toEqual([software, total]);
    expect(childOf(invoice, NAMESPACE, 'Seller')?.getAttribute('IDNum')).toBe(nuis);
  });

  test('adds up', () => {
    const items = itemsIn(body);
    expect(cents(items.map((item) => item.getAttribute('PA')))).toBe(cents([of['TotPrice']]));
    expect(cents(items.map((item) => item.getAttribute('PB')))).toBe(cents([of['TotPriceWoVAT']]));
    expect(cents(items.map((item) => item.getAttribute('VA')))).toBe(cents([of['TotVATAmt']]));
    const methods = childrenOf(childOf(invoice, NAMESPACE, 'PayMethods') as DomElement);
    expect(cents(methods.map((method) => method.getAttribute('Amt')))).toBe(cents([of['TotPrice']]));
    const same = childOf(invoice, NAMESPACE, 'SameTaxes');
    const groups = same ? childrenOf(same) : [];
    expect(cents(groups.map((group) => group.getAttribute('VATAmt')))).toBe(cents([of['TotVATAmt']]));
    if (of['IsIssuerInVAT'] === 'true') {
      const others = [of['TaxFreeAmt'], of['MarkUpAmt'], of['GoodsExAmt']];
      expect(cents([...groups.map((group) => group.getAttribute('PriceBefVAT')), ...others])).toBe(cents([of['TotPriceWoVAT']]));
    }
    if (request.document.currency === 'ALL') {
      const sign = 'type' in request.document && request.document.type === 'credit_note' ? -1 : 1;
      expect(cents([of['TotPrice']])).toBe(cents([String(sign * request.document.total)]));
    }
  });

  test('is ASCII of at most 150 kB', () => {
    expect(body).toMatch(/^[\x20-\x7e]*$/);
    expect(body.length).toBeLessThan(150_000);
  });

  // Without FISCAL_XSD_DIR there are no schemas: they are not ours to give on.
  (schemas ? test : test.skip)('is valid by the published schema', () => schemaOf('al/all.xsd')(body));
});

// Without FISCAL_XSD_DIR there are no schemas.
(schemas ? test : test.skip)('an invoice without its code is not', () => {
  expect(() => schemaOf('al/all.xsd')(sent(alInvoice()).replace(/ IIC="[^"]*"/, ''))).toThrow('IIC');
});

test('what is taken back has negative amounts and positive prices', () => {
  const [item] = itemsIn(sent(shapes['credit note'] as RegistrationRequested));
  expect(attributesOf(item)).toMatchObject({ Q: '-1', UPB: '100.50', UPA: '120.60', PB: '-100.50', VA: '-20.10', PA: '-120.60' });
});

test('a correction names the code and the time of what it corrects', () => {
  const correction = (request: RegistrationRequested) => attributesOf(childOf(invoiceIn(sent(request)), NAMESPACE, 'CorrectiveInv'));
  const of = { IICRef: original.issuer_code, IssueDateTime: '2026-02-28T10:00:00+01:00' };
  expect(correction(shapes['credit note'] as RegistrationRequested)).toEqual({ ...of, Type: 'CREDIT' });
  expect(correction(shapes['void of a receipt'] as RegistrationRequested)).toEqual({ ...of, Type: 'CORRECTIVE' });
});

test('a receipt is paid in cash at its till, an invoice by account', () => {
  const methods = (request: RegistrationRequested) =>
    childrenOf(childOf(invoiceIn(sent(request)), NAMESPACE, 'PayMethods') as DomElement).map(attributesOf);
  expect(methods(alInvoice())).toEqual([{ Type: 'ACCOUNT', Amt: '120.60' }]);
  const payments = [
    { method: 'cash', amount: 100 },
    { method: 'card', amount: 10.6 },
    { method: 'cash', amount: 10 },
  ];
  expect(methods(alReceipt({ document: { payment_method: null, payments } }))).toEqual([
    { Type: 'BANKNOTE', Amt: '110.00' },
    { Type: 'CARD', Amt: '10.60' },
  ]);
});

test('a discount of the document is shared over its lines', () => {
  const items = itemsIn(sent(shapes['discount of the document'] as RegistrationRequested)).map(attributesOf);
  expect(items.map(({ PB, VA, PA }) => [PB, VA, PA])).toEqual([
    ['9.00', '1.80', '10.80'],
    ['18.00', '3.60', '21.60'],
  ]);
});

describe('the time of sending', () => {
  const minutes = (n: number): string => new Date(Date.parse(ISSUED_AT) + n * 60_000).toISOString();
  const header = (over: Partial<Envelope>, request = alInvoice()) => attributesOf(headerIn(sent(request, over)));

  test('is literally that of the issue, the first time within a minute', () => {
    expect(header({})).toEqual({ UUID: uuid4(ID), SendDateTime: '2026-03-01T11:00:00+01:00' });
    expect(header({ sentAt: '2026-03-01T10:00:59.900Z' })).toMatchObject({ SendDateTime: '2026-03-01T11:00:00+01:00' });
  });

  test.each([
    ['the service failed in time', { sentAt: minutes(5), firstSentAt: minutes(0.5), authorityFailed: true, repeated: true }, 'SERVICE'],
    ['it refused this side’s clock in time', { sentAt: minutes(5), firstSentAt: minutes(0.5), repeated: true }, 'TECHNICALERROR'],
    ['this side was away', { sentAt: minutes(5) }, 'TECHNICALERROR'],
    [
      'this side was away, and then the service',
      { sentAt: minutes(9), firstSentAt: minutes(5), authorityFailed: true, repeated: true },
      'TECHNICALERROR',
    ],
  ])('is later because %s', (_why, over, type) => {
    expect(header(over)).toEqual({ UUID: uuid4(ID), SendDateTime: expect.not.stringContaining('T11:00:00'), SubseqDelivType: type });
  });

  test('is later because the issuer says that there was no internet', () => {
    expect(header({}, alInvoice({ over: { late_reason: 'no_internet' } }))).toMatchObject({ SubseqDelivType: 'NOINTERNET' });
  });
});

test('a till is opened before its first receipt of a day, and no invoice opens one', () => {
  const { record } = prepared(alReceipt());
  expect(record.opening).toBe('L12345678A.cc123cc123.2026-03-01.0.00');
  expect(prepared(alInvoice()).record).not.toHaveProperty('opening');
  const rendered = authority.opening?.(record, { taxpayer: 'test.a', id: ID, sentAt: ISSUED_AT, repeated: false, firstSentAt: null });
  if (!rendered || !('text' in rendered)) throw new Error('it is signed');
  const { kind, body = '' } = rendered.signedWith(taxpayer.sign(rendered.text));
  expect(kind).toBe('deposit');
  const root = requestIn(body);
  const trust = { anchors: [nais.pem], signer: 'Test taxpayer' };
  expect(verifiedElement(root, 'Request', trust, Date.parse(ISSUED_AT))?.localName).toBe('RegisterCashDepositRequest');
  const now = '2026-03-01T11:00:00+01:00';
  expect(attributesOf(childOf(root, NAMESPACE, 'CashDeposit'))).toEqual({
    ...{ ChangeDateTime: now, Operation: 'INITIAL', CashAmt: '0.00', TCRCode: 'cc123cc123', IssuerNUIS: 'L12345678A' },
  });
  if (schemas) schemaOf('al/all.xsd')(body);
});

test('it is taken for two days, and what had no internet until the end of the 10th of the next month, in Albania’s summer and winter', () => {
  expect(authority.deadline(ISSUED_AT, null)).toBe('2026-03-03T10:00:00.000Z');
  expect(authority.deadline(ISSUED_AT, 'no_internet')).toBe('2026-04-10T21:59:59.999Z');
  expect(authority.deadline('2026-12-31T23:30:00.000Z', 'no_internet')).toBe('2027-02-10T22:59:59.999Z');
});

test('an identifier of this product becomes one of version 4, which the schema takes alone', () => {
  expect(uuid4(ID)).toBe('01984d2e-1c2b-4abc-8def-001122334455');
});
