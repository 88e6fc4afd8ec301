import { createHash, createHmac } from 'node:crypto';
import { get } from 'node:https';
import { CisClient, element, signElement, envelope } from './testing/cis-client.ts';
import { serveSimulator, type ServedSimulator } from './testing/served.ts';
import { VerifactuClient } from './testing/verifactu-client.ts';

let served: ServedSimulator;
let albania: CisClient;
let spain: VerifactuClient;

interface Row {
  n: number;
  at: string;
  operation: string;
  request: string;
  response: string;
  status: number | null;
  fault: string | null;
}
const wire = async (authority: string, query = ''): Promise<{ data: Row[]; meta: { last: number } }> =>
  (await served.operate('GET', `/wire?authority=${authority}${query}`)).body;
const text = (base64: string): string => Buffer.from(base64, 'base64').toString();

beforeAll(async () => {
  served = await serveSimulator('al-cis', 'es-verifactu');
  albania = await CisClient.open(served, 'al-cis');
  spain = new VerifactuClient(served);
});
afterAll(() => served.close());

test('every exchange is kept byte by byte, numbered by authority', async () => {
  const { text: answer } = await albania.registerInvoice();
  await albania.post('{}');
  await spain.send([spain.alta()]);
  const { data, meta } = await wire('al-cis');
  expect(meta).toEqual({ last: 2 });
  expect(data[0]).toMatchObject({
    ...{
      n: 1,
      at: expect.stringMatching(/Z$/),
      authority: 'al-cis',
      operation: 'registerInvoice',
      method: 'POST',
      path: '/FiscalizationService-v3',
    },
    ...{ status: 200, fault: null, client_certificate: null, plain: null },
  });
  expect([text(data[0]?.request ?? ''), text(data[0]?.response ?? '')]).toEqual([albania.exchanged[0], answer]);
  expect(data[1]).toMatchObject({ n: 2, operation: '', status: 500 });
  expect((await wire('es-verifactu')).data).toMatchObject([{ n: 1, operation: 'RegFactuSistemaFacturacion' }]);
});

test('what a fault lost is there, with its name and no status', async () => {
  const { last } = (await wire('al-cis')).meta;
  for (const simulate of ['lost_request', 'lost_reply']) await albania.registerInvoice(undefined, { simulate }).catch(() => undefined);
  expect((await wire('al-cis', `&after=${last}`)).data).toMatchObject([
    { status: null, response: '', fault: 'lost_request' },
    { status: null, response: '', fault: 'lost_reply' },
  ]);
});

test('pages follow each other without a gap, and are there after a restart', async () => {
  const { last } = (await wire('al-cis')).meta;
  for (let n = 0; n < 5; n += 1) await albania.registerInvoice();
  await served.restart();
  const numbers: number[] = [];
  for (let after = last; ; after = numbers.at(-1) ?? last) {
    const { data } = await wire('al-cis', `&after=${after}&limit=2`);
    if (data.length === 0) break;
    numbers.push(...data.map(({ n }) => n));
  }
  expect(numbers).toEqual([1, 2, 3, 4, 5].map((n) => last + n));
});

test('an authority’s clock is where operators have set it, also after a restart, and another one’s is not', async () => {
  const set = (ahead: unknown) => served.operate('POST', '/clock', { authority: 'al-cis', ahead });
  const ahead = async (): Promise<number> => {
    const response = await fetch(`http://${served.simulator.addresses['al-cis']}/FiscalizationService-v3`);
    return Math.round((Date.parse(response.headers.get('date') ?? '') - served.clock.now()) / 60_000) + 0;
  };
  expect(await set(300)).toMatchObject({ status: 200, body: { authority: 'al-cis', ahead: 300, now: expect.stringMatching(/Z$/) } });
  await served.restart();
  expect(await ahead()).toBe(5);
  expect(await albania.registerInvoice()).toMatchObject({ error: 2 });
  expect(await spain.send([spain.alta()])).toMatchObject({ state: 'Correcto' });
  for (const wrong of [undefined, '300', 0.5, 1e12]) expect((await set(wrong)).status).toBe(422);
  await set(0);
  expect(await ahead()).toBe(0);
  expect(await albania.registerInvoice()).toMatchObject({ status: 200 });
});

test.each(['/wire', '/wire?authority=nowhere', '/wire?authority=al-cis&after=x', '/ledger?authority=nowhere'])(
  '%s is refused',
  async (path) => {
    expect((await served.operate('GET', path)).status).toBe(400);
  },
);

test('authorities are listed with addresses, paths and what to trust', async () => {
  expect((await served.operate('GET', '/authorities')).body).toMatchObject({
    data: [
      {
        authority: 'al-cis',
        address: served.simulator.addresses['al-cis'],
        paths: expect.any(Array),
        trust: expect.stringContaining('BEGIN CERTIFICATE'),
      },
      { authority: 'es-verifactu' },
    ],
  });
});

test('an authority’s port takes TLS as well, with a certificate of the authority to trust', async () => {
  const { data } = (await served.operate('GET', '/authorities')).body as { data: { trust: string }[] };
  const ask = (ca: string | undefined): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const url = `https://${served.simulator.addresses['al-cis']}/FiscalizationService-v3`;
      get(url, { agent: false, ...(ca !== undefined && { ca }) }, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
  expect(await ask(data[0]?.trust)).toBe(405);
  await expect(ask(undefined)).rejects.toThrow();
});

test('operators’ calls are not on the authorities’ own ports, nor those of authorities on the operators’', async () => {
  const address = served.simulator.addresses['al-cis'];
  for (const path of ['/wire?authority=al-cis', '/ledger', '/faults', '/healthz'])
    expect((await fetch(`http://${address}${path}`)).status).toBe(404);
  expect((await fetch(`${served.simulator.url}/FiscalizationService-v3`, { method: 'POST', body: '' })).status).toBe(404);
});

test.each([[{ tax_id: '' }], [{ tax_id: 'L91806031N', days: 'long' }], [{ tax_id: 'L91806031N', days: 1e9 }]])(
  'no certificate is issued for %j',
  async (fields) => {
    expect((await served.operate('POST', '/certificates', { authority: 'al-cis', ...fields })).status).toBe(422);
  },
);

test('an authority that is not served issues none', async () => {
  expect((await served.operate('POST', '/certificates', { authority: 'me-efi', tax_id: '12345678' })).status).toBe(422);
});

test('one number of one tax id is a document of each account that says who calls', async () => {
  const key = createHash('sha256').update('sandbox tax authority, request signing key 1').digest();
  const body = envelope(
    signElement(albania.message('RegisterInvoiceRequest', {}, element('Invoice', albania.invoice(), albania.parts())), albania.credentials),
  );
  const send = (account: string) => {
    const signature = createHmac('sha256', key).update([account, 'POST', '/FiscalizationService-v3', body].join('\n')).digest('base64');
    return albania.post(body, undefined, { 'x-taxpayer': account, 'x-taxpayer-signature': signature });
  };
  const total = async (): Promise<number> =>
    ((await served.operate('GET', '/ledger?authority=al-cis')).body as { meta: { total: number } }).meta.total;
  const before = await total();
  expect([(await send('test.a')).status, (await send('test.b')).status, (await send('test.b')).status]).toEqual([200, 200, 200]);
  expect((await total()) - before).toBe(2);
});
