import type { Element as DomElement } from '@xmldom/xmldom';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { childOf, childrenOf, parseXml, soapBody } from '../../xml/parse.ts';
import { certified } from '../../xml/testing/certificates.ts';
import { schemaOf, schemas } from '../../xml/testing/schema.ts';
import { ISSUED_AT } from '../al-cis/testing/documents.ts';
import { iicText } from '../al-cis/codes.ts';
import { cisDraft } from '../al-cis/record.ts';
import { meEfi } from './me-efi.ts';
import { montenegro } from './montenegro.ts';
import { at21, meInvoice, meReceipt, shapes } from './testing/documents.ts';

const ca = certified({ name: 'Test CA', isAuthority: true });
const taxpayer = certified({ name: 'Test taxpayer' }, ca);
const authority = meEfi({ origin: 'https://service.test', page: 'https://page.test/ic', trust: { anchors: [ca.pem], signer: 'x' } });
const envelope = { taxpayer: 'test.a', id: '01984d2e-1c2b-7abc-8def-001122334455', sentAt: ISSUED_AT, repeated: false, firstSentAt: null };

function recordOf(request: RegistrationRequested) {
  const draft = cisDraft(request, montenegro);
  const completion = { link: null, signature: taxpayer.sign(iicText(draft.of)) };
  return { ...authority.complete(draft, completion), deadline: null };
}
function sent(request: RegistrationRequested): string {
  const rendered = authority.render({} as never, recordOf(request), envelope);
  if (!('text' in rendered)) throw new Error('it is signed');
  return rendered.signedWith(taxpayer.sign(rendered.text)).body ?? '';
}
const childrenIn = (body: string, ...path: string[]): DomElement | undefined =>
  path.reduce<DomElement | undefined>((parent, name) => childOf(parent, montenegro.namespace, name), soapBody(parseXml(body)));
const attributesOf = (element: DomElement | undefined): Record<string, string> =>
  Object.fromEntries(Array.from(element?.attributes ?? [], ({ name, value }) => [name, value]));
const invoiceOf = (request: RegistrationRequested) => attributesOf(childrenIn(sent(request), 'Invoice'));

describe.each(Object.entries(shapes))('%s', (_name, request) => {
  const body = sent(request);

  test('adds up', () => {
    const of = attributesOf(childrenIn(body, 'Invoice'));
    const cents = (name: string): number =>
      childrenOf(childrenIn(body, 'Invoice', 'Items') as DomElement).reduce(
        (sum, item) => sum + Math.round(Number(item.getAttribute(name) ?? 0) * 100),
        0,
      );
    expect(cents('PA')).toBe(Math.round(Number(of['TotPrice']) * 100));
    expect(cents('PB')).toBe(Math.round(Number(of['TotPriceWoVAT']) * 100));
    expect(cents('VA')).toBe(Math.round(Number(of['TotVATAmt'] ?? 0) * 100));
  });

  // Without FISCAL_XSD_DIR there are no schemas: they are not ours to give on.
  (schemas ? test : test.skip)('is valid by the published schema', () => schemaOf('me/all.xsd')(body));
});

test('every document names its till, in its code too; what is paid by transfer opens none', () => {
  const invoice = meInvoice({ lines: [at21(100)] });
  expect(invoiceOf(invoice)).toMatchObject({ InvType: 'INVOICE', TypeOfInv: 'NONCASH', TCRCode: 'cc123cc123' });
  expect(iicText(cisDraft(invoice, montenegro).of)).toContain('|cc123cc123|');
  expect(recordOf(invoice)).not.toHaveProperty('opening');
  expect(recordOf(meReceipt({ lines: [at21(100)] })).opening).toBe('12345678.cc123cc123.2026-03-01.0.00');
  expect(invoiceOf(shapes['invoice paid in cash'] as RegistrationRequested)).toMatchObject({ TypeOfInv: 'CASH' });
});

test('a credit note and a corrective say what they are', () => {
  const of = (name: string) => invoiceOf(shapes[name] as RegistrationRequested)['InvType'];
  expect(['credit note', 'corrective', 'void of a receipt'].map(of)).toEqual(['CREDIT_NOTE', 'CORRECTIVE', 'CORRECTIVE']);
});

test('a buyer without a number is not stated', () => {
  const request = meInvoice({ lines: [at21(100)] });
  expect(childrenIn(sent(request), 'Invoice', 'Buyer')?.getAttribute('IDType')).toBe('TIN');
  const nameless = { ...request, customer: { ...request.customer, tax_id: null } } as RegistrationRequested;
  expect(childrenIn(sent(nameless), 'Invoice', 'Buyer')).toBeUndefined();
});

// Without FISCAL_XSD_DIR there are no schemas.
(schemas ? test : test.skip)('the registration of a till and its opening are valid by the published schema', () => {
  const till = {
    ...{ issuer_tax_id: '12345678', unit: 'bb123bb123', internal_id: 'till 1', software_code: 'ss123ss123', maintainer_code: 'mm123mm123' },
    ...{ type: 'regular' as const, valid_from: '2026-03-01', valid_to: null },
  };
  for (const rendered of [authority.till?.(till, envelope), authority.opening?.(recordOf(meReceipt({ lines: [at21(1)] })), envelope)]) {
    if (!rendered || !('text' in rendered)) throw new Error('it is signed');
    schemaOf('me/all.xsd')(rendered.signedWith(taxpayer.sign(rendered.text)).body ?? '');
  }
});
