import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, startSystem, type System } from '@svc/testkit';
import * as shops from './testing/shop.ts';

const { expectOneEach, line, openShop, pathOf, receipt, registered, submit, untilFiscal, untilStatus } = shops;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const codes = {
  'al-cis': { code: /^[0-9a-f-]{36}$/, issuer_code: /^[0-9A-F]{32}$/, page: 'https://efiskalizimi-app-test.tatime.gov.al/' },
  'es-verifactu': { code: /^A-[0-9A-F]{14}$/, issuer_code: /^[0-9A-F]{64}$/, page: 'https://prewww2.aeat.es/' },
  'me-efi': { code: /^[0-9a-f-]{36}$/, issuer_code: /^[0-9A-F]{32}$/, page: 'https://efitest.tax.gov.me/' },
};

/** A form of a submission that the authority cannot say, and the rule that refuses it. */
const unsayable: Record<shops.AuthorityId, { body: object; field: string; rule: string }> = {
  'al-cis': { body: { payment_method: 'cash' }, field: 'payment_method', rule: 'al-cis.payment' },
  'es-verifactu': {
    body: { items: [line({ taxes: [{ rate: 0, code: 'E', exemption_reason: 'Article 20' }] })] },
    ...{ field: 'items.0.taxes.0.exemption_code', rule: 'es-verifactu.taxes' },
  },
  'me-efi': {
    body: { items: [line({ taxes: [{ rate: 0, code: 'AE', exemption_reason: 'Reverse charge' }] })] },
    ...{ field: 'items.0.taxes.0.code', rule: 'me-efi.taxes' },
  },
};

describe.each(shops.nationalAuthorities)('%s', (authority) => {
  test('an issuer that sets it is ready; an invoice and a receipt have its code and a link that verifies them', async () => {
    const shop = await openShop(system, authority);
    const { body: issuer } = await shop.call<{ setup: { ready: boolean; steps: object[] } }>('GET', '/issuer');
    expect(issuer.setup).toMatchObject({ ready: true });
    const invoice = await registered(shop);
    const sold = await untilFiscal(shop, await receipt(shop));
    const { code, issuer_code, page } = codes[authority];
    for (const { fiscal_code, fiscal } of [invoice, sold]) {
      expect(fiscal_code).toMatch(code);
      expect(fiscal).toMatchObject({ code: fiscal_code, issuer_code: expect.stringMatching(issuer_code), late: false, error: null });
      expect(fiscal?.verification_url?.startsWith(page)).toBe(true);
      expect(fiscal?.verification_url).toContain(shop.tax_id);
    }
    await expectOneEach(system, shop, [invoice, sold]);
  });

  test('a credit note, a corrective and a void are registered behind what they correct', async () => {
    const shop = await openShop(system, authority);
    const corrected = await registered(shop, { items: [line({ quantity: 3 })] });
    const credit = await registered(shop, { type: 'credit_note', corrects: corrected.id, items: [line({ unit_price: 10 })] });
    const corrective = await registered(shop, { type: 'corrective', corrects: corrected.id, items: [line({ quantity: -1 })] });
    const wrong = await registered(shop);
    await shop.call('POST', `${pathOf(wrong)}/void`, { body: { reason: 'Wrong customer' } });
    const voided = await untilStatus(shop, wrong, 'voided');
    const id = voided.void?.document_id ?? null;
    expect(id === null).toBe(authority === 'es-verifactu');
    const reversal = id === null ? [] : [await untilFiscal(shop, { object: 'invoice', id })];
    expect(reversal.map(({ total, corrects }) => [total, corrects])).toEqual(reversal.map(() => [-wrong.total, wrong.id]));
    await expectOneEach(system, shop, [corrected, credit, corrective, wrong, ...reversal]);
  });

  test('what it cannot say is refused by field and rule before a number is spent', async () => {
    const shop = await openShop(system, authority);
    const { body, field, rule } = unsayable[authority];
    const refused = await submit(shop, body);
    expect(refused).toMatchObject({ status: 422, body: { error: { issues: [{ field, rule: 'country_rule', params: { id: rule } }] } } });
    const { body: drafts } = await shop.call<{ data: shops.Document[] }>('GET', '/invoices');
    expect(drafts.data.map(({ status, number }) => [status, number])).toEqual([['draft', null]]);
    expect((await registered(shop)).number).toMatch(/(^|\/|0{5})1(\/|$)/);
  });

  test('its evidence is verified by the program that anybody can run', async () => {
    const shop = await openShop(system, authority);
    const invoice = await registered(shop);
    const { body: link } = await shop.call<{ url: string }>('GET', `${pathOf(invoice)}/evidence`);
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
    const zip = join(folder, 'evidence.zip');
    writeFileSync(zip, Buffer.from(await (await fetch(link.url)).arrayBuffer()));
    const { code, output } = await runProgram({ file: 'tools/verify/verify.mjs', args: ['evidence', zip] });
    rmSync(folder, { recursive: true });
    expect([code, output]).toEqual([0, expect.stringContaining(`gives the code ${invoice.fiscal_code}`)]);
  });
});

test.each(['al-cis', 'me-efi'] as const)(
  '%s: a till is registered once, and its receipts have its code in their numbers',
  async (authority) => {
    const shop = await openShop(system, authority);
    const { body: issuer } = await shop.call<{ units: { code: string; devices: string[] }[] }>('GET', '/issuer');
    const [{ code: unit, devices } = { code: '', devices: [] }] = issuer.units;
    const tills = [{ code: 'TILL2', maintainer_code: 'mm123mm123' }];
    await shop.call('PATCH', '/issuer', { body: { units: [{ code: unit, devices: [...devices, 'TILL2'] }], devices: tills } });
    const register = async () =>
      (
        await shop.call<{ state: string; authority_code: string }>('POST', '/issuer/devices/TILL2/register', {
          headers: { prefer: 'wait=20' },
        })
      ).body;
    const { state, authority_code } = await register();
    expect(state).toBe('registered');
    expect((await register()).authority_code).toBe(authority_code);
    const { number } = await untilFiscal(shop, await receipt(shop, { device: 'TILL2' }));
    expect(number?.endsWith(`/${authority_code}`)).toBe(true);
  },
);
