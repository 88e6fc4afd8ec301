import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { hasXmlsec } from '@svc/fiscal-submission/authorities/testing/xmlsec';
import { runPrinted } from '@svc/fiscal-submission/evidence/testing/printed';
import { root, runProgram, startSystem, type System } from '@svc/testkit';
import { openAccount } from '../e2e/testing/accounts.ts';
import { commandsOf, runInShell } from '../e2e/testing/readme.ts';
import * as shops from './testing/shop.ts';

const { expectOneEach, line, openShop, pathOf, receipt, registered, submit, untilFiscal, untilStatus } = shops;

let system: System;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  system = await startSystem();
});
afterAll(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true });
});

function unzipped(zip: string): Map<string, Buffer> {
  const into = mkdtempSync(join(folder, 'unzipped-'));
  execFileSync('unzip', ['-q', zip, '-d', into]);
  const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(files.map(({ parentPath, name }) => [relative(into, join(parentPath, name)), readFileSync(join(parentPath, name))]));
}

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

  test('evidence of an invoice, a receipt and a void is verified by the program that anybody can run, and by the commands of its README', async () => {
    const shop = await openShop(system, authority);
    const [invoice, wrong] = [await registered(shop), await registered(shop)];
    const sold = await untilFiscal(shop, await receipt(shop));
    await shop.call('POST', `${pathOf(wrong)}/void`, { body: { reason: 'Wrong customer' } });
    const { void: by } = await untilStatus(shop, wrong, 'voided');
    const reversal = by?.document_id ? [await untilFiscal(shop, { object: 'invoice', id: by.document_id })] : [];
    const zip = join(folder, `${authority}.zip`);
    for (const document of [invoice, wrong, sold, ...reversal]) {
      const { body: link } = await shop.call<{ url: string }>('GET', `${pathOf(document)}/evidence`);
      writeFileSync(zip, Buffer.from(await (await fetch(link.url)).arrayBuffer()));
      const { code, output } = await runProgram({ file: 'tools/verify/verify.mjs', args: ['evidence', zip] });
      expect([code, output]).toEqual([0, expect.stringContaining(`gives the code ${document.fiscal_code}`)]);
      const printed = runPrinted(unzipped(zip), { without: hasXmlsec ? /authority-ca/ : /authority-ca|xmlsec1/ });
      expect(printed).toContain(document.fiscal?.issuer_code);
    }
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

test('docs/authorities.md: issuers of Albania and Spain come to code, link, PDF, void and evidence', async () => {
  const { testKey } = await openAccount(system, 'Reader');
  const sections = ['A sandbox issuer of Albania', 'A sandbox issuer of Spain', 'What was sent'];
  const commands = commandsOf('docs/authorities.md', ...sections)
    .replace('svc_test_…', testKey)
    .replaceAll('localhost:3000', new URL(system.url).host)
    .replaceAll('localhost:3002', new URL(system.simulator).host)
    .replace('npm run --silent verify --', `${process.execPath} ${join(root, 'tools/verify/verify.mjs')}`);
  const output = runInShell(`cd ${folder}\n${commands}`);
  const year = new Date().getUTCFullYear();
  expect(output).toMatch(/^"authority":"al-cis"\n"ready":true$/m);
  expect(output).toMatch(new RegExp(`^"number":"1/${year}"\n"fiscal_code":"[0-9a-f-]{36}"$`, 'm'));
  expect(output).toMatch(new RegExp(`^"number":"2/${year}"\n"fiscal_code":"[0-9a-f-]{36}"$`, 'm'));
  expect(output).toMatch(/^"authority":"es-verifactu"\n"ready":true$/m);
  expect(output).toMatch(/^"verification_url":"https:\/\/prewww2\.aeat\.es\/[^"]+"$/m);
  expect(output).toMatch(/^All of \d+ checks hold\.$/m);
  expect(output).not.toContain('"error":{');
  for (const name of ['albania.pdf', 'spain.pdf']) expect(readFileSync(join(folder, name), 'latin1')).toMatch(/^%PDF-1\.[^]*%%EOF\s*$/);
});
