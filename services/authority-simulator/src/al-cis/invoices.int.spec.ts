import { CisClient, element, isSigned } from '../testing/cis-client.ts';
import { serveSimulator, type ServedSimulator } from '../testing/served.ts';

let served: ServedSimulator;
let client: CisClient;
let till: string;

beforeAll(async () => {
  served = await serveSimulator('al-cis');
  client = await CisClient.open(served, 'al-cis');
  till = (await client.registerTill()).code ?? '';
  await client.registerDeposit(till);
});
afterAll(() => served.close());

const ledger = async (): Promise<{ number: string; code: string; sha256: string }[]> =>
  ((await served.operate('GET', '/ledger?authority=al-cis&limit=10000')).body as { data: [] }).data;
const methods = (...types: [string, string][]): string =>
  element('PayMethods', {}, ...types.map(([Type, Amt]) => element('PayMethod', { Type, Amt })));
const cash = (over: Record<string, string | undefined> = {}, ordinal?: number) =>
  client.invoice({ TypeOfInv: 'CASH', TCRCode: till, ...over }, ordinal);
const paidInCash = (): string => client.parts({ PayMethods: methods(['BANKNOTE', '120.00']) });

test('an invoice gets a signed FIC for its UUID, and is in the ledger', async () => {
  const fields = client.invoice();
  const { status, code, text } = await client.registerInvoice(fields);
  expect([status, code]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(isSigned(text)).toBe(true);
  const uuid = /UUID="([^"]+)"/.exec(client.exchanged.at(-2) ?? '')?.[1];
  expect(text).toContain(`RequestUUID="${uuid}"`);
  expect((await ledger()).at(-1)).toMatchObject({
    ...{
      tax_id: client.taxId,
      number: fields['InvNum'],
      code,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.stringMatching(/Z$/),
    },
    late: null,
  });
});

test('a cash invoice is registered after the opening deposit of its till', async () => {
  expect(await client.registerInvoice(cash({}, 1), { parts: paidInCash() })).toMatchObject({ status: 200 });
  const other = (await client.registerTill({ TCRIntID: 'without deposit' })).code ?? '';
  expect(await client.registerInvoice(cash({ TCRCode: other }, 1), { parts: paidInCash() })).toMatchObject({ error: 11 });
  await client.registerDeposit(other);
  expect(await client.registerInvoice(cash({ TCRCode: other }, 1), { parts: paidInCash() })).toMatchObject({ status: 200 });
});

test.each<[string, number, () => ReturnType<CisClient['registerInvoice']>]>([
  ['an attribute missing', 11, () => client.registerInvoice(client.invoice({ OperatorCode: undefined }))],
  ['an operator code of another form', 11, () => client.registerInvoice(client.invoice({ OperatorCode: 'operator-1' }))],
  ['an unknown attribute', 11, () => client.registerInvoice(client.invoice({ Colour: 'red' }))],
  ['an IIC that is not of its signature', 11, () => client.registerInvoice(client.invoice({ IIC: 'A'.repeat(32) }))],
  ['a total that its code does not sign', 11, () => client.registerInvoice({ ...client.invoice(), SoftCode: 'zz999zz999' })],
  ['a number of other parts', 60, () => client.registerInvoice(client.invoice({ InvNum: '9999/2019' }))],
  ['a seller who is no NUIS', 54, () => client.registerInvoice(client.invoice(), { parts: seller('ID') })],
  [
    'payments that are not the total',
    11,
    () => client.registerInvoice(client.invoice(), { parts: client.parts({ PayMethods: methods(['ACCOUNT', '119.99']) }) }),
  ],
  ['cash in a non-cash invoice', 11, () => client.registerInvoice(client.invoice(), { parts: paidInCash() })],
  [
    'a method twice',
    11,
    () =>
      client.registerInvoice(client.invoice(), {
        parts: client.parts({ PayMethods: methods(['ACCOUNT', '60.00'], ['ACCOUNT', '60.00']) }),
      }),
  ],
  [
    'a voucher without number',
    11,
    () => client.registerInvoice(cash(), { parts: client.parts({ PayMethods: methods(['SVOUCHER', '120.00']) }) }),
  ],
  ['cash without a till', 11, () => client.registerInvoice(client.invoice({ TypeOfInv: 'CASH' }), { parts: paidInCash() })],
  ['an unknown till', 53, () => client.registerInvoice(cash({ TCRCode: 'xx000xx000' }), { parts: paidInCash() })],
  ['tax of an issuer who is not in VAT', 11, () => client.registerInvoice(client.invoice({ IsIssuerInVAT: 'false' }))],
  [
    'reverse charge without tax',
    11,
    () => client.registerInvoice(client.invoice({ IsReverseCharge: 'true', TotVATAmt: undefined }), { parts: buyer() }),
  ],
  ['reverse charge without a buyer', 11, () => client.registerInvoice(client.invoice({ IsReverseCharge: 'true' }))],
  ['exported goods without a buyer', 11, () => client.registerInvoice(client.invoice({ GoodsExAmt: '0.00' }))],
  ['cash as an electronic invoice', 11, () => client.registerInvoice(cash({ IsEinvoice: 'true' }, 60), { parts: paidInCash() })],
  ['a wrong sum before tax', 59, () => client.registerInvoice(client.invoice({ TotPriceWoVAT: '99.00' }))],
  ['a wrong sum of tax', 11, () => client.registerInvoice(client.invoice({ TotVATAmt: '19.00' }))],
  [
    'negative amounts without an original',
    11,
    () => client.registerInvoice(client.invoice({ TaxFreeAmt: '-1.00', TotPriceWoVAT: '99.00' })),
  ],
  [
    'a supply that ends before it begins',
    11,
    () => client.registerInvoice(client.invoice(), { parts: client.parts() + period('2026-03-02', '2026-03-01') }),
  ],
  [
    'a supply over two months',
    11,
    () => client.registerInvoice(client.invoice(), { parts: client.parts() + period('2026-02-28', '2026-03-01') }),
  ],
  [
    'an original that is not registered',
    11,
    () => client.registerInvoice(client.invoice(), { parts: client.parts() + original('A'.repeat(32), client.now()) }),
  ],
  [
    'an original of the future',
    61,
    () => client.registerInvoice(client.invoice(), { parts: client.parts() + original('A'.repeat(32), '2199-01-01T00:00:00+01:00') }),
  ],
])('an invoice with %s is refused and not registered', async (_what, error, send) => {
  const before = (await ledger()).length;
  const reply = await send();
  expect(reply).toMatchObject({ status: 500, error, code: undefined });
  expect(reply.text).toContain('<faultcode>soapenv:CLIENT</faultcode>');
  expect(await ledger()).toHaveLength(before);
});
const seller = (IDType: string): string => client.parts({ Seller: element('Seller', { IDType, IDNum: client.taxId, Name: 'Seller' }) });
const buyer = (IDNum = 'K72001008V'): string => client.parts({ Buyer: element('Buyer', { IDType: 'NUIS', IDNum, Name: 'Buyer' }) });
const period = (Start: string, End: string): string => element('SupplyDateOrPeriod', { Start, End });
const original = (IICRef: string, IssueDateTime: string): string => element('CorrectiveInv', { IICRef, IssueDateTime, Type: 'CREDIT' });

test('the registry knows units, software, VAT and taxpayers that an operator declared', async () => {
  const declare = (fields: object) => served.operate('POST', '/taxpayers', { authority: 'al-cis', tax_id: client.taxId, ...fields });
  const error = async (): Promise<number | undefined> => (await client.registerInvoice()).error;
  for (const [fields, expected] of [
    [{ units: ['aa111aa111'] }, 41],
    [{ software: ['aa111aa111'] }, 42],
    [{ in_vat: false }, 44],
    [{ known: false }, 52],
    [{ active: false }, 55],
    [{ in_vat: true, units: ['bb123bb123'], software: ['ss123ss123'] }, undefined],
  ] as const) {
    expect((await declare(fields)).status).toBe(200);
    expect(await error()).toBe(expected);
  }
  await declare({});
});

test('cash above the limit is refused between taxpayers alone', async () => {
  const large = { TotPriceWoVAT: '125000.01', TotVATAmt: '25000.00', TotPrice: '150000.01' };
  const parts = (over: object): string =>
    client.parts({
      PayMethods: methods(['BANKNOTE', '150000.01']),
      Items: element(
        'Items',
        {},
        element('I', {
          N: 'Item',
          U: 'piece',
          Q: '1',
          UPB: '125000.01',
          UPA: '150000.01',
          PB: '125000.01',
          VR: '20.00',
          VA: '25000.00',
          PA: '150000.01',
        }),
      ),
      SameTaxes: element(
        'SameTaxes',
        {},
        element('SameTax', { NumOfItems: '1', PriceBefVAT: '125000.01', VATRate: '20.00', VATAmt: '25000.00' }),
      ),
      ...over,
    });
  const toTaxpayer = { Buyer: element('Buyer', { IDType: 'NUIS', IDNum: 'K72001008V', Name: 'Buyer' }) };
  expect(await client.registerInvoice(cash(large, 50), { parts: parts(toTaxpayer) })).toMatchObject({ error: 40 });
  expect(await client.registerInvoice(cash(large, 50), { parts: parts({}) })).toMatchObject({ status: 200 });
});

test('a credit note of a registered invoice has negative amounts', async () => {
  const first = client.invoice();
  await client.registerInvoice(first);
  const amounts = { TotPriceWoVAT: '-100.00', TotVATAmt: '-20.00', TotPrice: '-120.00' };
  const item = { N: 'Item', U: 'piece', Q: '-1', UPB: '100.00', UPA: '120.00', PB: '-100.00', VR: '20.00', VA: '-20.00', PA: '-120.00' };
  const parts = (IssueDateTime: string): string =>
    client.parts({
      PayMethods: methods(['ACCOUNT', '-120.00']),
      Items: element('Items', {}, element('I', item)),
      SameTaxes: element(
        'SameTaxes',
        {},
        element('SameTax', { NumOfItems: '1', PriceBefVAT: '-100.00', VATRate: '20.00', VATAmt: '-20.00' }),
      ),
    }) + original(first['IIC'] ?? '', IssueDateTime);
  expect(await client.registerInvoice(client.invoice(amounts), { parts: parts('2026-01-01T00:00:00+01:00') })).toMatchObject({ error: 61 });
  expect(await client.registerInvoice(client.invoice(amounts), { parts: parts(first['IssueDateTime'] ?? '') })).toMatchObject({
    status: 200,
  });
});

test('a self-issued invoice is one of its buyer', async () => {
  const parts = client.parts({
    Seller: element('Seller', { IDType: 'PASS', IDNum: 'P1', Name: 'Farmer', Town: 'Town' }),
    Buyer: element('Buyer', { IDType: 'NUIS', IDNum: client.taxId, Name: 'Buyer' }),
  });
  expect(await client.registerInvoice(client.invoice({ TypeOfSelfIss: 'SELF' }), { parts })).toMatchObject({ status: 200 });
});

describe('a registered invoice', () => {
  test('that is sent again gets the same FIC and is registered once', async () => {
    const fields = client.invoice();
    const first = await client.registerInvoice(fields);
    const again = await client.registerInvoice(fields, { header: { SubseqDelivType: 'TECHNICALERROR' } });
    expect([again.status, again.code]).toEqual([200, first.code]);
    expect((await ledger()).filter(({ number }) => number === fields['InvNum'])).toHaveLength(1);
  });

  test('keeps its number: another one is a duplicate', async () => {
    const fields = client.invoice();
    await client.registerInvoice(fields);
    const other = client.invoice({ SoftCode: 'tt123tt123' }, Number(fields['InvOrdNum']));
    const reply = await client.registerInvoice(other);
    expect([reply.error, reply.text]).toEqual([58, expect.stringContaining('Duplicate')]);
  });

  test('is one of ten senders at once', async () => {
    const fields = client.invoice();
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.registerInvoice(fields)));
    expect(new Set(replies.map(({ code }) => code)).size).toBe(1);
    expect((await ledger()).filter(({ number }) => number === fields['InvNum'])).toHaveLength(1);
  });

  test('is the same one after a restart, also when its certificate was renewed', async () => {
    const fields = client.invoice();
    const first = await client.registerInvoice(fields);
    const rows = await ledger();
    await served.restart();
    expect(await ledger()).toEqual(rows);
    const former = client.credentials;
    client.credentials = await CisClient.certificate(served, 'al-cis', { tax_id: client.taxId });
    expect((await client.registerInvoice(fields)).code).toBe(first.code);
    const prepared = await withKey(former, () => client.invoice());
    expect(await client.registerInvoice(prepared)).toMatchObject({ status: 200 });
    const unseen = await CisClient.certificate(served, 'al-cis', { tax_id: client.taxId });
    const signed = await withKey(unseen, () => client.invoice());
    expect(await client.registerInvoice(signed)).toMatchObject({ status: 200 });
  });
});

/** An invoice whose code was made with another key. */
async function withKey<T>(credentials: CisClient['credentials'], work: () => T): Promise<T> {
  const current = client.credentials;
  client.credentials = credentials;
  const made = work();
  client.credentials = current;
  return made;
}

test('a missing number is shown to operators', async () => {
  const other = await CisClient.open(served, 'al-cis', 'K11111111A');
  for (const ordinal of [1, 2, 4]) await other.registerInvoice(other.invoice({}, ordinal));
  const { body } = await served.operate('GET', '/ledger?authority=al-cis');
  expect((body as { meta: { gaps: object[] } }).meta.gaps).toContainEqual({
    tax_id: 'K11111111A',
    sequence: other.now().slice(0, 4),
    first: 1,
    last: 4,
    missing: 1,
  });
});

test('one number of one tax id is a document of each account', async () => {
  const fields = client.invoice();
  const anonymous = await client.registerInvoice(fields);
  expect(anonymous.status).toBe(200);
  const signature = { 'x-taxpayer': 'test.a', 'x-taxpayer-signature': Buffer.alloc(32).toString('base64') };
  expect(await client.post(client.exchanged.at(-2) ?? '', undefined, signature)).toMatchObject({ status: 401 });
});
