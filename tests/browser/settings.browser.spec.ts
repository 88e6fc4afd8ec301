import { readFileSync } from 'node:fs';
import { eventually } from '@svc/testkit';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import { provesIfAsked } from './testing/owner.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner((opened) => void ({ owner, origin, call } = opened));

const open = async (path: string, heading: string): Promise<void> => {
  await owner.page.goto(origin + path);
  await owner.heading(heading);
};
const part = (name: string) => owner.page.getByRole('region', { name, exact: true });

test('who issues is changed, and what is wrong stands at its field', async () => {
  await open('/app/settings/issuer', 'Issuer & numbers');
  await part('Issuer').getByLabel('Time zone').fill('Middle/Earth');
  await part('Issuer').getByLabel('Legal name').fill(HOSTILE);
  await part('Issuer').getByRole('button', { name: 'Save changes' }).click();
  await part('Issuer').locator('[aria-invalid=true]').waitFor();
  await looksRight(owner, 'issuer');
  await part('Issuer').getByLabel('Time zone').fill('Europe/Tirane');
  await part('Issuer').getByRole('button', { name: 'Save changes' }).click();
  await part('Issuer').getByText('Saved').waitFor();
  await owner.page.reload();
  expect(await part('Issuer').getByLabel('Legal name').inputValue()).toBe(HOSTILE);
});

test('the form of numbers names what a format lacks, and takes another one', async () => {
  await open('/app/settings/issuer', 'Issuer & numbers');
  const format = part('Numbers').getByLabel('Credit notes: format');
  await format.fill('{series}');
  await part('Numbers').getByRole('button', { name: 'Save changes' }).click();
  await part('Numbers').locator('[aria-invalid=true]').waitFor();
  await format.fill('{series}/{year}/{seq:4}');
  await part('Numbers').getByRole('button', { name: 'Save changes' }).click();
  await part('Numbers').getByText('Saved').waitFor();
});

test('who changed the series is seen by two clicks', async () => {
  const audit = `${origin}/console/audit?action=series.updated`;
  await eventually(
    async () => ((await (await owner.context.request.get(audit)).json()) as { data: object[] }).data.length > 0,
    'the entry',
  );
  await open('/app', 'Today');
  owner.clicks = 0;
  await owner.press('link', 'Audit');
  await owner.heading('Audit');
  await owner.page.getByRole('row', { name: /Ana Owner.*\{series\}\/\{year\}\/\{seq:4\}/ }).waitFor();
  expect(owner.clicks).toBeLessThanOrEqual(2);
  await owner.page.getByLabel('Anyone').selectOption({ label: 'Ana Owner' });
  await owner.page.waitForURL(/actor=mem_/);
  const row = owner.page.getByRole('row', { name: /Ana Owner.*\{series\}\/\{year\}\/\{seq:4\}/ });
  await row.getByRole('cell').nth(3).getByRole('link').click();
  await owner.page.getByLabel('Of anything').waitFor();
  await looksRight(owner, 'audit-of-one');
  await owner.press('button', 'Clear filters');
  await owner.page.getByLabel('Of anything').waitFor({ state: 'detached' });
});

test('a unit with two devices and an operator are added', async () => {
  await open('/app/settings/issuer', 'Issuer & numbers');
  const units = part('Units, devices and operators');
  const count = await units
    .getByLabel(/^Unit \d+$/)
    .and(owner.page.locator('input'))
    .count();
  await units.getByRole('button', { name: 'Add a unit' }).click();
  await units
    .getByLabel(`Unit ${count + 1}`, { exact: true })
    .and(owner.page.locator('input'))
    .fill('SHOP2');
  await units.getByLabel(`Devices of unit ${count + 1}`).fill('TILL1, TILL2');
  await units.getByRole('button', { name: 'Save changes' }).click();
  await units.getByText('Saved').waitFor();
  await owner.page.reload();
  expect(await units.getByLabel(`Devices of unit ${count + 1}`).inputValue()).toBe('TILL1, TILL2');
});

test('a form that was saved sends of its next change what was changed since: a unit that was added is as a program has left it', async () => {
  await open('/app/settings/issuer', 'Issuer & numbers');
  const units = part('Units, devices and operators');
  const { units: before } = (await call('GET', '/issuer')) as { units: object[] };
  await units.getByRole('button', { name: 'Add a unit' }).click();
  const unit = units.getByLabel(`Unit ${before.length + 1}`, { exact: true }).and(owner.page.locator('input'));
  await unit.fill('SHOP3');
  await units.getByRole('button', { name: 'Save changes' }).click();
  await units.getByText('Saved').waitFor();
  const placed = { code: 'SHOP3', address: { city: 'Vlora' }, devices: [] };
  await call('PATCH', '/issuer', { units: [...before, placed] });
  await units.getByRole('button', { name: 'Add an operator' }).click();
  await units.getByLabel('Operator 1', { exact: true }).and(owner.page.locator('input')).fill('OP1');
  await units.getByLabel('Name of operator 1').fill('Floki');
  await units.getByRole('button', { name: 'Save changes' }).click();
  await units.getByText('changed this since you opened it').waitFor();
  await units.getByRole('button', { name: 'Save changes' }).click();
  await units.getByText('Saved').waitFor();
  expect(await call('GET', '/issuer')).toMatchObject({
    units: [...before, { code: 'SHOP3', address: { city: 'Vlora' } }],
    operators: [{ code: 'OP1', name: 'Floki' }],
  });
});

test('a file that is no certificate is refused at its field, after the password', async () => {
  await open('/app/settings/authority', 'Tax authority');
  await looksRight(owner, 'authority');
  await owner.page
    .getByLabel('File')
    .setInputFiles({ name: 'x.p12', mimeType: 'application/x-pkcs12', buffer: readFileSync(import.meta.filename) });
  await owner.page.locator('input[type=password]').first().fill('secret');
  await owner.press('button', 'Upload');
  await owner.page.locator('[aria-invalid=true]').first().or(owner.page.getByRole('dialog')).first().waitFor();
  if (await owner.page.getByRole('dialog').isVisible()) await provesIfAsked(owner, 'PKCS');
  await owner.page.locator('[aria-invalid=true]').first().waitFor();
  await looksRight(owner, 'authority-wrong');
});

test('the tax authority is chosen where Go live leads to', async () => {
  await open('/app/settings/authority', 'Tax authority');
  const where = part('Where documents are registered');
  for (const [label, authority] of [
    ['Nowhere', null],
    ['the sandbox', 'sandbox'],
  ] as const) {
    await where.getByLabel('Tax authority').selectOption({ label });
    await where.getByRole('button', { name: 'Save changes' }).click();
    await where.getByText('Saved').waitFor();
    expect(await call('GET', '/issuer')).toMatchObject({ authority });
  }
  await open('/app/go-live', 'Go live');
  await owner.page
    .getByRole('listitem')
    .filter({ has: owner.page.getByRole('heading', { name: /^Tax authority/ }) })
    .getByRole('link', { name: 'Go to Tax authority' })
    .click();
  await owner.heading('Tax authority');
  expect(await owner.page.getByLabel('Tax authority').locator('option').allTextContents()).not.toContain('the sandbox');
  await looksRight(owner, 'authority-live');
});

test('what a national authority knows of devices is entered at each, and what is wrong stands at its field', async () => {
  expect(await call('PATCH', '/issuer', { authority: 'al-cis' })).toMatchObject({ authority: 'al-cis', country: 'AL' });
  await open('/app/settings/issuer', 'Issuer & numbers');
  const devices = part('Devices at the tax authority');
  const [first] = await devices.getByLabel('Code of the authority').all();
  await first?.fill('no code!');
  await devices.getByRole('button', { name: 'Save changes' }).click();
  await devices.locator('[aria-invalid=true]').first().waitFor();
  await looksRight(owner, 'issuer-devices');
  await first?.fill('xy123xy123');
  await devices.getByRole('button', { name: 'Save changes' }).click();
  await devices.getByText('Saved').waitFor();
  expect(await call('GET', '/issuer')).toMatchObject({
    devices: expect.arrayContaining([expect.objectContaining({ authority_code: 'xy123xy123' })]) as object,
  });
  await open('/app/invoices/new', 'New invoice');
  await owner.page.getByText('Currency, prices, rounding, series').click();
  await owner.page.getByLabel('Unit and device').waitFor();
  await looksRight(owner, 'invoice-form-till');
});

test('Go live leads to the page on which a step is done', async () => {
  await open('/app/go-live', 'Go live');
  await owner.page.getByRole('link', { name: 'Go to Issuer & numbers' }).first().click();
  await owner.heading('Issuer & numbers');
  expect(owner.page.url()).toContain('live=true');
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
