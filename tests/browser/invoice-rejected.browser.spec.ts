import { eventually } from '@svc/testkit';
import type { Call } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner((opened) => void ({ owner, origin, call } = opened));

const read = (id: string) => call('GET', `/invoices/${id}`);

test('what the authority rejects is fixed where its reason stands, two clicks from Today', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Floki' });
  const items = [{ description: 'Boat', unit_price: 100, tax_rate: 20 }];
  const { id } = await call('POST', '/invoices', { customer_id, items, metadata: { simulate: 'reject' } });
  await call('POST', `/invoices/${String(id)}/submit`);
  await eventually(async () => (await read(String(id)))['status'] === 'failed', 'the rejection');
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  owner.clicks = 0;
  await owner.page.getByRole('region', { name: 'Refused by the tax authority' }).getByRole('link').first().click();
  await owner.press('link', 'Edit');
  await owner.sees('The tax authority has rejected it');
  expect(owner.clicks + 1).toBe(2);
  await looksRight(owner, 'invoice-rejected');
  await call('PATCH', `/invoices/${String(id)}`, { metadata: { simulate: null } });
  await owner.page.reload();
  await owner.page.getByLabel('Quantity, line 1').fill('2');
  await owner.press('button', 'Save and submit again');
  await eventually(async () => (await read(String(id)))['status'] === 'submitted', 'the registration');
});
