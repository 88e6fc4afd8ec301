import { CisClient, element, isSigned, type CisReply } from '../testing/cis-client.ts';
import { serveSimulator, type ServedSimulator } from '../testing/served.ts';

let served: ServedSimulator;
let client: CisClient;

beforeAll(async () => {
  served = await serveSimulator('al-cis');
  client = await CisClient.open(served, 'al-cis');
});
afterAll(() => served.close());

const fault = (fields: object) => served.operate('POST', '/faults', { authority: 'al-cis', ...fields });
const isRegistered = async (number: string | undefined): Promise<boolean> =>
  ((await served.operate('GET', '/ledger?authority=al-cis&limit=10000')).body as { data: { number: string }[] }).data.some(
    (row) => row.number === number,
  );
/** Two attempts of one invoice, the second one marked as late; an answer that does not come is `lost`. */
async function attempts(simulate?: string) {
  const fields = client.invoice();
  const attempt = async (header: Record<string, string>): Promise<CisReply | 'lost'> => {
    try {
      return await client.registerInvoice(fields, { header, ...(simulate === undefined ? {} : { simulate }) });
    } catch {
      return 'lost';
    }
  };
  const first = await attempt({});
  const wasRegistered = await isRegistered(fields['InvNum']);
  return { first, wasRegistered, second: await attempt({ SubseqDelivType: 'SERVICE' }) };
}

const byHeader = (script: string) => attempts(script);
const byOperator = async (script: string) => {
  await fault({ fault: script });
  return attempts();
};

describe.each([
  ['by X-Simulate', byHeader],
  ['by an operator', byOperator],
])('a fault of the first call %s', (_by, script) => {
  test.each<[string, boolean, object | 'lost']>([
    ['lost_request', false, 'lost'],
    ['lost_reply', true, 'lost'],
    ['error_after_accept', true, { status: 500, code: undefined, error: undefined }],
    ['truncated', true, { status: 200 }],
    ['bad_signature', true, { status: 200 }],
    ['wrong_request_id', true, { status: 200 }],
    ['wrong_signer', true, { status: 200 }],
    ['server_900', false, { status: 500, error: 900 }],
    ['server_900:stored', true, { status: 500, error: 900 }],
    ['reject_once:54', false, { status: 500, error: 54 }],
    ['certificate:expired', false, { error: 36 }],
    ['certificate:revoked', false, { error: 38 }],
    ['clock:300', false, { error: 2 }],
    ['clock:-300', false, { error: 2 }],
    ['unavailable:1', false, { status: 503 }],
  ])('%s: registered %s', async (name, registered, answer) => {
    const { first, wasRegistered, second } = await script(name);
    expect([first, wasRegistered]).toEqual([answer === 'lost' ? answer : expect.objectContaining(answer), registered]);
    expect(second).toMatchObject({ status: 200, code: expect.any(String) });
  });
});

test('spoiled answers are not what they should be, each in its own way', async () => {
  const [bad, other, signer] = [await attempts('bad_signature'), await attempts('wrong_request_id'), await attempts('wrong_signer')];
  const text = ({ first }: Awaited<ReturnType<typeof attempts>>): string => (first === 'lost' ? '' : first.text);
  expect(isSigned(text(bad))).toBe(false);
  expect(isSigned(text(other))).toBe(true);
  expect(text(other)).toContain('RequestUUID="00000000-0000-4000-8000-000000000000"');
  expect(isSigned(text(signer))).toBe(true);
});

test.each([
  ['reject:40', 40],
  ['reject', 11],
  ['reject:data', 11],
  ['reject:credentials', 36],
  ['reject:setup', 41],
  ['duplicate_foreign', 58],
])('%s refuses every time', async (script, error) => {
  expect(await attempts(script)).toMatchObject({ first: { error }, wasRegistered: false, second: { error } });
});

test('resend says what a registered document gets', async () => {
  expect(await attempts('resend:refused')).toMatchObject({ first: { status: 200 }, second: { error: 58 } });
  expect(await attempts('resend:same')).toMatchObject({ first: { status: 200 }, second: { status: 200 } });
});

test('refuse_void refuses corrective invoices alone', async () => {
  const first = client.invoice();
  expect(await client.registerInvoice(first, { simulate: 'refuse_void' })).toMatchObject({ status: 200 });
  const reference = element('CorrectiveInv', { IICRef: first['IIC'], IssueDateTime: first['IssueDateTime'], Type: 'CORRECTIVE' });
  const send = (simulate?: string) =>
    client.registerInvoice(client.invoice(), { parts: client.parts() + reference, ...(simulate === undefined ? {} : { simulate }) });
  expect(await send('refuse_void')).toMatchObject({ error: 11 });
  expect(await send()).toMatchObject({ status: 200 });
});

test('slow answers late, after it has registered', async () => {
  const fields = client.invoice();
  const answer = client.registerInvoice(fields, { simulate: 'slow:400' });
  const began = performance.now();
  expect((await answer).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(300);
});

test('silent gives no answer and registers nothing', async () => {
  const fields = client.invoice();
  const gone = AbortSignal.timeout(300);
  const sent = fetch(`http://${served.simulator.addresses['al-cis']}/FiscalizationService-v3`, {
    ...{ method: 'POST', signal: gone, headers: { 'x-simulate': 'silent' } },
    body: `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>${client.message('RegisterInvoiceRequest', {}, element('Invoice', fields, client.parts()))}</soapenv:Body></soapenv:Envelope>`,
  });
  await expect(sent).rejects.toThrow();
  expect(await isRegistered(fields['InvNum'])).toBe(false);
});

describe('an operator', () => {
  test('scripts faults for a taxpayer, a number, an operation and a count of calls', async () => {
    const other = await CisClient.open(served, 'al-cis', 'K72001008V');
    const [one, two] = [client.invoice(), client.invoice()];
    await fault({ tax_id: other.taxId, fault: 'reject:55', times: 2 });
    await fault({ number: two['InvNum'], fault: 'reject:60' });
    await fault({ operation: 'registerTCR', fault: 'reject:42' });
    expect(await client.registerInvoice(one)).toMatchObject({ status: 200 });
    expect(await client.registerInvoice(two)).toMatchObject({ error: 60 });
    expect(await client.registerTill()).toMatchObject({ error: 42 });
    expect(await client.registerTill()).toMatchObject({ status: 200 });
    const errors = [await other.registerInvoice(), await other.registerInvoice(), await other.registerInvoice()].map(({ error }) => error);
    expect(errors).toEqual([55, 55, undefined]);
    expect((await served.operate('GET', '/faults')).body).toEqual({ data: [] });
  });

  test('may take back what is still open', async () => {
    await fault({ fault: 'lost_reply', times: 100 });
    expect((await served.operate('GET', '/faults')).body).toMatchObject({ data: [{ fault: 'lost_reply', times: 100 }] });
    await served.operate('DELETE', '/faults');
    expect((await client.registerInvoice()).status).toBe(200);
  });

  test.each([
    [{ fault: 'no such fault' }],
    [{ fault: 'accept', times: 0 }],
    [{ fault: 'accept', times: 1.5 }],
    [{ fault: 'accept', number: 7 }],
    [{ fault: 'partial' }],
    [{ authority: 'nowhere', fault: 'accept' }],
  ])('cannot script %j', async (fields) => {
    expect((await fault(fields)).status).toBe(422);
  });
});
