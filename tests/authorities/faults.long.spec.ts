import { client, eventually, startSystem, type System } from '@svc/testkit';
import { everything } from '../e2e/testing/retrying-client.ts';
import * as shops from './testing/shop.ts';

const { expectOneEach, line, openShop, pathOf, receipt, registered, submit, untilFiscal, untilStatus } = shops;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

/** The next call about the issuer has the fault. */
async function script({ authority, tax_id }: shops.Shop, fault: string): Promise<void> {
  const { status, text } = await client(system.simulator)('POST', '/faults', { body: { authority, tax_id, fault } });
  if (status !== 200) throw new Error(text);
}

/** What a fault of the authority leads to, besides one registration. `attempts`: at least that many of the document. */
interface Fault {
  fault: string;
  attempts: number;
}
const faults: Record<shops.AuthorityId, Fault[]> = {
  'al-cis': [
    { fault: 'lost_request', attempts: 2 },
    { fault: 'lost_reply', attempts: 2 },
    { fault: 'error_after_accept', attempts: 2 },
    { fault: 'unavailable:3', attempts: 4 },
    { fault: 'truncated', attempts: 2 },
    { fault: 'bad_signature', attempts: 2 },
    { fault: 'wrong_request_id', attempts: 2 },
    { fault: 'wrong_signer', attempts: 2 },
    { fault: 'server_900', attempts: 2 },
    { fault: 'clock:300', attempts: 2 },
  ],
  'es-verifactu': [
    { fault: 'lost_request', attempts: 2 },
    { fault: 'lost_reply', attempts: 2 },
    { fault: 'error_after_accept', attempts: 2 },
    { fault: 'unavailable:3', attempts: 2 },
    { fault: 'truncated', attempts: 2 },
    { fault: 'fault_server', attempts: 2 },
    { fault: 'fault_client:4103', attempts: 2 },
    { fault: 'accepted_with_errors:2004', attempts: 1 },
  ],
  'me-efi': [
    { fault: 'lost_reply', attempts: 2 },
    { fault: 'unavailable:3', attempts: 4 },
    { fault: 'wrong_signer', attempts: 2 },
    { fault: 'server_900:stored', attempts: 2 },
  ],
};

describe.each(shops.nationalAuthorities)('%s', (authority) => {
  test.each(faults[authority])('$fault: the document is registered once', async ({ fault, attempts }) => {
    const shop = await openShop(system, authority);
    await script(shop, fault);
    const { body } = await submit(shop, {});
    const document = await untilFiscal(shop, body);
    const { body: made } = await shop.call<{ data: object[] }>('GET', `${pathOf(document)}/attempts`);
    expect(made.data.length).toBeGreaterThanOrEqual(attempts);
    await expectOneEach(system, shop, [document]);
  });

  test('what it refuses is mended and registered under its number', async () => {
    const shop = await openShop(system, authority);
    const { body } = await submit(shop, { metadata: { simulate: 'reject_once' } });
    const refused = await untilStatus(shop, body, 'failed');
    expect(refused.fiscal).toMatchObject({ status: 'rejected', error: { fixable: 'data' } });
    await shop.call('POST', `${pathOf(refused)}/submit`, { headers: { prefer: 'wait=20' } });
    const mended = await untilFiscal(shop, refused);
    expect(mended.number).toBe(refused.number);
    await expectOneEach(system, shop, [mended]);
  });

  test('another document under its number wants a person', async () => {
    const shop = await openShop(system, authority);
    const { body } = await submit(shop, { metadata: { simulate: 'duplicate_foreign' } });
    expect((await untilFiscal(shop, body, 'needs_review')).fiscal_code).toBeNull();
  });

  test('what cannot be sent while it is away has number, code and link at once, and goes when it is back', async () => {
    const shop = await openShop(system, authority);
    await script(shop, 'unavailable:4');
    const waiting = await Promise.all(Array.from({ length: 4 }, () => submit(shop, {})));
    const sold = await Promise.all(Array.from({ length: 4 }, () => receipt(shop)));
    const issued = [...waiting.map(({ body }) => body), ...sold];
    for (const { number, fiscal } of issued) {
      expect(number).not.toBeNull();
      expect(fiscal).toMatchObject({ issuer_code: expect.any(String), verification_url: expect.any(String) });
    }
    await expectOneEach(system, shop, await Promise.all(issued.map((document) => untilFiscal(shop, document))));
  });

  test('kill -9 in the middle of documents and voids leaves one registration of each, in an unbroken chain', async () => {
    const shop = await openShop(system, authority);
    const wrong = await registered(shop);
    const requestVoid = () => shop.call('POST', `${pathOf(wrong)}/void`, { body: { reason: 'Wrong customer' } });
    const making = [
      ...Array.from({ length: 6 }, () => submit(shop, { items: [line({ quantity: 2 })] })),
      ...Array.from({ length: 6 }, () => receipt(shop)),
      requestVoid(),
    ].map((one) => one.catch(() => undefined));
    await eventually(async () => (await everything(shop.call, '/receipts')).length > 1, 'the second receipt');
    await system.kill('SIGKILL');
    system = await system.restart();
    await Promise.all(making);
    await requestVoid();
    const voided = await untilStatus(shop, wrong, 'voided');
    const lists = await Promise.all(['/invoices', '/receipts'].map((path) => everything<shops.Document>(shop.call, path)));
    const others = lists.flat().filter(({ id, number }) => number !== null && id !== wrong.id);
    const ends = [voided, ...(await Promise.all(others.map((document) => untilFiscal(shop, document))))];
    expect(ends.length).toBeGreaterThan(2);
    await expectOneEach(system, shop, ends);
  });
});
