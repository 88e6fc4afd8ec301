import { eventually } from '@svc/testkit';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner((opened) => void ({ owner, origin, call } = opened));
beforeEach(() => owner.page.unrouteAll());

type Json = Record<string, unknown>;

/** Changes what the interface answers to a path: what authorities, certificates and programs put into it cannot be scripted whole. */
const says = async (path: string, change: (body: Json) => Json): Promise<void> => {
  await owner.page.route(`**/console/v1${path}`, async (route) => {
    if (route.request().method() !== 'GET' && !path.endsWith('/check')) return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Json) });
  });
};

/** It is text: no element came of it, and nothing that the policy had to stop. */
async function staysText(picture: string): Promise<void> {
  expect(await owner.page.getByText('<img src=x').count()).toBeGreaterThan(0);
  expect(await owner.page.locator('img[src=x]').count()).toBe(0);
  await looksRight(owner, picture);
  expect(owner.faults).toEqual([]);
}

const part = (name: string) => owner.page.getByRole('region', { name, exact: true });

test('markup in tills, who operates them, and the scheme of VAT', async () => {
  expect(await call('PATCH', '/issuer', { authority: 'al-cis' })).toMatchObject({ authority: 'al-cis' });
  await says('/issuer', (issuer) => ({
    ...issuer,
    ...{ authority: 'es-verifactu', tax_regime: HOSTILE, installation: HOSTILE, software_code: HOSTILE },
    units: [{ code: HOSTILE, address: null, devices: [HOSTILE] }],
    operators: [{ code: HOSTILE, name: HOSTILE }],
    devices: [],
  }));
  await owner.page.goto(`${origin}/app/settings/issuer`);
  const scheme = part('Issuer').getByLabel('Scheme of VAT');
  expect(await scheme.inputValue()).toBe(HOSTILE);
  expect(await owner.page.locator('img[src=x]').count()).toBe(0);
  await looksRight(owner, 'hostile-issuer');
  await owner.page.unrouteAll();
  await says('/issuer', (issuer) => ({
    ...issuer,
    devices: (issuer['devices'] as Json[]).map((device) => ({
      ...device,
      ...{ code: HOSTILE, authority_code: HOSTILE, maintainer_code: HOSTILE },
      error: { code: HOSTILE, message: HOSTILE, fixable: 'data' },
    })),
  }));
  await owner.page.goto(`${origin}/app/settings/issuer`);
  await part('Devices at the tax authority').getByText(HOSTILE).first().waitFor();
  await staysText('hostile-tills');
  expect(await call('PATCH', '/issuer', { authority: 'sandbox' })).toMatchObject({ authority: 'sandbox' });
});

test('markup in what an authority says of a document, its codes and its address', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: HOSTILE });
  const items = [{ description: HOSTILE, unit_price: 50, tax_rate: 20 }];
  const { id } = await call('POST', '/invoices', { customer_id, items });
  await call('POST', `/invoices/${String(id)}/submit`);
  await eventually(async () => (await call('GET', `/invoices/${String(id)}`))['status'] === 'submitted', 'the registration');
  await says(`/invoices/${String(id)}`, (invoice) => ({
    ...invoice,
    warnings: [{ field: 'items.0', code: HOSTILE, message: HOSTILE }],
    fiscal: {
      ...(invoice['fiscal'] as Json),
      ...{ status: 'rejected', authority: HOSTILE, code: HOSTILE, issuer_code: HOSTILE, code_kind: HOSTILE },
      verification_url: `javascript:alert('${HOSTILE}')`,
      error: { code: HOSTILE, message: HOSTILE, fixable: 'setup' },
      warnings: [{ code: HOSTILE, message: HOSTILE }],
      next: { operation: 'manual_upload', reason: HOSTILE, closed: { void: HOSTILE } },
    },
  }));
  await says(`/invoices/${String(id)}/attempts*`, (list) => ({
    ...list,
    data: (list['data'] as Json[]).map((attempt) => ({ ...attempt, outcome: 'rejected', error: { code: HOSTILE, message: HOSTILE } })),
  }));
  await owner.page.goto(`${origin}/app/invoices/${String(id)}`);
  await owner.page.getByText(HOSTILE).first().waitFor();
  await staysText('hostile-invoice');
  expect(await owner.page.locator('a[href^="javascript:"]').count()).toBe(0);
});

test('markup in why there is no evidence', async () => {
  const { data } = (await call('GET', '/invoices')) as { data: { id: string }[] };
  const path = `/invoices/${data[0]?.id}`;
  await owner.page.route(`**/console/v1${path}/evidence`, (route) =>
    route.fulfill({
      status: 422,
      json: { error: { code: 'invalid_state', message: HOSTILE, request_id: HOSTILE, details: { id: [HOSTILE] } } },
    }),
  );
  await owner.page.goto(`${origin}/app${path}`);
  await owner.press('button', 'Download the evidence');
  await owner.page.getByRole('alert').getByText(HOSTILE).first().waitFor();
  await staysText('hostile-evidence');
});

test('markup in a certificate, what was found of it, and what the authority lacks', async () => {
  const certificate = { subject: HOSTILE, serial: HOSTILE, fingerprint: HOSTILE, expires_at: '2099-12-31T00:00:00.000Z' };
  await owner.page.route('**/console/v1/fiscal-credentials', (route) =>
    route.fulfill({
      json: { object: 'fiscal_credentials', ...certificate, created_at: '2026-01-01T00:00:00.000Z', successor: certificate },
    }),
  );
  await owner.page.route('**/console/v1/fiscal-credentials/check', (route) =>
    route.fulfill({
      json: {
        ...{ object: 'fiscal_credentials_check', ready: false, checked_at: '2026-01-01T00:00:00.000Z' },
        checks: [{ id: 'certificate', outcome: 'failed', message: HOSTILE }],
      },
    }),
  );
  await says('/issuer', (issuer) => ({
    ...issuer,
    authority: HOSTILE,
    setup: {
      ready: false,
      steps: ['issuer', 'authority'].map((id) => ({ id, done: false, missing: [{ field: HOSTILE, rule: HOSTILE, message: HOSTILE }] })),
    },
  }));
  await owner.page.goto(`${origin}/app/settings/authority`);
  await part('Certificate').getByText(HOSTILE).first().waitFor();
  await part('Check').getByRole('button', { name: 'Check now' }).click();
  await part('Check').getByText(HOSTILE).first().waitFor();
  await staysText('hostile-authority');
});

test('markup in what programs write: metadata of an invoice, the reference of a payment', async () => {
  const metadata = { order: HOSTILE, [HOSTILE.slice(0, 40)]: 'javascript:alert(1)', link: `https://shop.example/${HOSTILE}` };
  const { id: customer_id } = await call('POST', '/customers', { name: HOSTILE });
  const items = [{ description: HOSTILE, unit_price: 50, tax_rate: 20 }];
  const { id } = await call('POST', '/invoices', { customer_id, items, metadata });
  const path = `/invoices/${String(id)}`;
  await call('POST', `${path}/submit`);
  await eventually(async () => (await call('GET', path))['status'] === 'submitted', 'the registration');
  const payment = { amount: 10, paid_at: new Date().toISOString().slice(0, 10), method: 'transfer', reference: HOSTILE };
  expect(await call('POST', `${path}/payments`, payment)).toMatchObject({ amount: 10 });
  await owner.page.goto(`${origin}/app${path}`);
  await part('Metadata').getByText(HOSTILE).first().waitFor();
  await part('Payments').getByText(HOSTILE).waitFor();
  await staysText('hostile-payment');
  expect(await part('Metadata').locator('a').count()).toBe(0);
});

test('markup in the address, description, headers and metadata of an endpoint', async () => {
  const url = `https://shop.example/${'W'.repeat(60)}?a=${encodeURIComponent(HOSTILE)}`;
  const headers = { [`X-${'W'.repeat(60)}`]: '<b>' };
  const body = { url, events: ['*'], description: HOSTILE, headers, metadata: { [HOSTILE.slice(0, 40)]: HOSTILE } };
  const { id } = await call('POST', '/webhooks', body);
  await owner.page.goto(`${origin}/app/webhooks`);
  await owner.page.getByRole('link', { name: HOSTILE }).waitFor();
  await staysText('hostile-webhooks');
  await owner.page.getByRole('link', { name: HOSTILE }).click();
  await owner.heading(HOSTILE);
  expect(owner.page.url()).toContain(String(id));
  await owner.page.waitForLoadState('networkidle');
  await staysText('hostile-endpoint');
  await owner.press('button', 'Change');
  await owner.page.getByRole('dialog', { name: 'Change the endpoint' }).getByLabel('Value of X-').waitFor();
  await looksRight(owner, 'hostile-endpoint-form');
  await owner.page.keyboard.press('Escape');
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Delete');
  await owner.page.getByRole('dialog', { name: 'Delete this endpoint?' }).waitFor();
  await looksRight(owner, 'hostile-endpoint-delete');
});
