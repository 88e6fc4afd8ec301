import { CisClient, element, isSigned } from '../testing/cis-client.ts';
import { serveSimulator, type ServedSimulator } from '../testing/served.ts';

let served: ServedSimulator;
let client: CisClient;
let till: string;

beforeAll(async () => {
  served = await serveSimulator('me-efi');
  client = await CisClient.open(served, 'me-efi');
  till = (await client.registerTill()).code ?? '';
});
afterAll(() => served.close());

const invoice = (over: Record<string, string | undefined> = {}, ordinal?: number) => client.invoice({ TCRCode: till, ...over }, ordinal);

test('an invoice of a registered till gets a signed FIC', async () => {
  const { status, code, text } = await client.registerInvoice(invoice());
  expect([status, code, isSigned(text)]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/), true]);
});

test.each<[string, number, () => ReturnType<CisClient['registerInvoice']>]>([
  ['without a till', 11, () => client.registerInvoice(client.invoice())],
  ['of an unknown till', 53, () => client.registerInvoice(invoice({ TCRCode: 'xx000xx000' }))],
  ['without its kind', 11, () => client.registerInvoice(invoice({ InvType: undefined }))],
  ['with a number of other parts', 60, () => client.registerInvoice(invoice({ InvNum: `bb123bb123/99/2026/${till}` }))],
  ['with a number as in Albania', 11, () => client.registerInvoice(invoice({ InvNum: '1/2026' }))],
  [
    'of a seller with a NUIS',
    11,
    () =>
      client.registerInvoice(invoice(), {
        parts: client.parts({ Seller: element('Seller', { IDType: 'NUIS', IDNum: 'L91806031N', Name: 'S' }) }),
      }),
  ],
  [
    'of a buyer without a number',
    11,
    () => client.registerInvoice(invoice(), { parts: client.parts({ Buyer: element('Buyer', { Name: 'Buyer' }) }) }),
  ],
])('an invoice %s is refused', async (_what, error, send) => {
  expect(await send()).toMatchObject({ error });
});

test('any method pays a non-cash invoice, and lines have up to four decimals', async () => {
  const item = { N: 'Item', U: 'piece', Q: '3', UPB: '33.3333', UPA: '40.00', PB: '99.9999', VR: '20.00', VA: '20.00', PA: '119.9999' };
  const parts = client.parts({
    PayMethods: element('PayMethods', {}, element('PayMethod', { Type: 'CARD', Amt: '120.00' })),
    Items: element('Items', {}, element('I', item)),
    SameTaxes: element('SameTaxes', {}, element('SameTax', { NumOfItems: '1', PriceBefVAT: '99.9999', VATRate: '20.00', VATAmt: '20.00' })),
  });
  expect(await client.registerInvoice(invoice(), { parts })).toMatchObject({ status: 200 });
});

test('a late message may be one of business needs', async () => {
  expect(await client.registerInvoice(invoice(), { header: { SubseqDelivType: 'BUSINESSNEEDS' } })).toMatchObject({ status: 200 });
});

test('a deposit is INITIAL or WITHDRAW', async () => {
  expect(await client.registerDeposit(till, { Operation: 'DEPOSIT', CashAmt: '1.00' })).toMatchObject({ error: 11 });
  expect(await client.registerDeposit(till)).toMatchObject({ status: 200 });
  expect(await client.registerDeposit(till)).toMatchObject({ error: 56 });
});
