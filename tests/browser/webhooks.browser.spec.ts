import { verifyWebhook } from '@svc/client';
import { eventually, startReceiver } from '@svc/testkit';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** What the receiver answers. */
let reply = { status: 200, body: '{"taken":true}' };
/** The secret of the endpoint as it was shown last. */
let secret: string;
withOwner(
  (opened) => void ({ owner, origin, call } = opened),
  async () => {
    receiver = await startReceiver(() => reply);
    return { WEBHOOKS_ALLOW: receiver.origin };
  },
);
afterAll(() => receiver?.close());

const dialog = (name: string) => owner.page.getByRole('dialog', { name, exact: true });
const part = (name: string) => owner.page.getByRole('region', { name, exact: true });
const endpoints = async () => (await call('GET', '/webhooks'))['data'] as { id: string; status: string }[];

/** From the navigation, as a person goes. */
async function opens(): Promise<void> {
  await owner.press('link', 'Webhooks');
  await owner.heading('Webhooks');
  await owner.page.getByRole('link', { name: `${receiver.origin}/hook` }).click();
  await owner.heading('Shop');
}

async function chooses(action: string): Promise<void> {
  await owner.press('button', 'More');
  await owner.press('menuitem', action);
}

/** The value that is shown once, as it is copied. */
async function copies(): Promise<string> {
  await part('Secret').getByRole('button', { name: 'Copy' }).click();
  const value: string = await owner.page.evaluate('navigator.clipboard.readText()');
  expect(value).toMatch(/^whsec_/);
  return value;
}

test('an endpoint is added by its form: what is wrong stands at its field, the secret is shown once', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.press('link', 'Webhooks');
  await owner.heading('Webhooks');
  await owner.sees('No endpoint yet');
  await looksRight(owner, 'webhooks-none');
  await owner.press('button', 'Add endpoint');
  const form = dialog('Add endpoint');
  await form.getByLabel('URL').fill('ftp://shop.example');
  await form.getByRole('button', { name: 'Add a header' }).click();
  await form.getByLabel('Name', { exact: true }).fill('X-Shop');
  await form.getByLabel('Value of X-Shop').fill('Kattegat');
  await form.getByLabel('Value of X-Shop').press('Enter');
  await form.locator('[aria-invalid=true]').first().waitFor();
  await looksRight(owner, 'webhook-form');
  await form.getByLabel('URL').fill(`${receiver.origin}/hook`);
  await form.getByLabel('Description').fill('Shop');
  await form.getByLabel('invoice.submitted').press('Space');
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await owner.heading('Shop');
  await owner.sees('Copy this secret now');
  await looksRight(owner, 'webhook-new');
  secret = await copies();
  await owner.page.reload();
  await owner.heading('Shop');
  expect(await owner.page.content()).not.toContain(secret);
});

/** In the dialog of a test event, as it is left open. */
const sample = () => dialog('Send a test event');

/** Resolves once its answer is shown. */
async function sendsSample(status: string): Promise<void> {
  await owner.press('button', 'Send test event');
  await sample().getByRole('button', { name: 'Send it' }).click();
  await sample().getByRole('region', { name: 'Attempt 1' }).getByText(status, { exact: true }).waitFor();
}

test('a test event arrives, signed by that secret, and its answer is shown', async () => {
  await owner.press('button', 'Send test event');
  expect(await sample().getByLabel('Event').inputValue()).toBe('invoice.submitted');
  await looksRight(owner, 'webhook-test');
  await sample().getByRole('button', { name: 'Cancel' }).click();
  await sendsSample('200');
  await sample().getByText(reply.body).waitFor();
  await looksRight(owner, 'webhook-tested');
  const [sent] = receiver.deliveries;
  expect(sent?.headers['x-shop']).toBe('Kattegat');
  expect(verifyWebhook({ headers: sent?.headers ?? {}, body: sent?.raw ?? '' }, secret).type).toBe('invoice.submitted');
  await sample().getByRole('button', { name: 'Done' }).click();
});

test('markup in the answer of a receiver stays text', async () => {
  reply = { status: 500, body: `${HOSTILE}\n<script>alert(1)</script>` };
  await sendsSample('500');
  await sample().getByText('<script>alert(1)</script>').waitFor();
  expect(await owner.page.locator('img[src=x]').count()).toBe(0);
  await looksRight(owner, 'webhook-answer-hostile');
  reply = { status: 200, body: '' };
});

test('a new secret is shown once, and signs from now on', async () => {
  await owner.page.keyboard.press('Escape');
  await sample().waitFor({ state: 'detached' });
  await chooses('Rotate the secret');
  const question = dialog('Give the endpoint a new secret');
  await question.getByLabel('The old secret ends').selectOption({ label: 'At once' });
  await looksRight(owner, 'webhook-rotate');
  await question.getByRole('button', { name: 'Rotate the secret' }).click();
  await owner.sees('Copy this secret now');
  await looksRight(owner, 'webhook-secret');
  const old = secret;
  secret = await copies();
  expect(secret).not.toBe(old);
  await sendsSample('200');
  const last = receiver.deliveries.at(-1);
  const delivery = { headers: last?.headers ?? {}, body: last?.raw ?? '' };
  expect(verifyWebhook(delivery, secret).type).toBe('invoice.submitted');
  expect(() => verifyWebhook(delivery, old)).toThrow(expect.objectContaining({ code: 'signature_wrong' }));
  await owner.page.keyboard.press('Escape');
  await sample().waitFor({ state: 'detached' });
  await opens();
  expect(await owner.page.content()).not.toContain(secret);
});

test('what happens while it is disabled is not sent, and is recovered when it is enabled again: counted first, then for good', async () => {
  await chooses('Disable');
  await looksRight(owner, 'webhook-disable');
  await dialog('Disable this endpoint?').getByRole('button', { name: 'Disable' }).click();
  await owner.sees('Disabled: nothing is sent');
  expect(await endpoints()).toMatchObject([{ status: 'disabled' }]);
  await looksRight(owner, 'webhook-disabled');
  const { id: customer_id } = await call('POST', '/customers', { name: 'Lagertha' });
  const { id } = await call('POST', '/invoices', { customer_id, items: [{ description: 'Rope', unit_price: 50, tax_rate: 20 }] });
  await call('POST', `/invoices/${String(id)}/submit`);
  await eventually(async () => (await call('GET', `/invoices/${String(id)}`))['status'] === 'submitted', 'the registration');
  const before = receiver.deliveries.length;
  await owner.press('button', 'Enable');
  await owner.page.getByRole('button', { name: 'Send test event' }).waitFor();
  expect(await endpoints()).toMatchObject([{ status: 'enabled' }]);

  await chooses('Recover missed events');
  const form = dialog('Recover missed events');
  await looksRight(owner, 'webhook-recover');
  await form.getByRole('button', { name: 'Count them' }).click();
  await form.getByText('1 event has not arrived').waitFor();
  await looksRight(owner, 'webhook-recover-counted');
  expect(receiver.deliveries).toHaveLength(before);
  await form.getByRole('button', { name: 'Send them' }).click();
  await owner.sees('1 of 1 delivered, 0 failed');
  await part('Deliveries').getByRole('link', { name: 'invoice.submitted' }).first().waitFor();
  await owner.sees('Working');
  await part('Attempts').getByRole('img', { name: '1 attempts succeeded, 0 failed' }).waitFor({ timeout: 30_000 });
  await looksRight(owner, 'endpoint');
  expect(receiver.deliveries.slice(before).map(({ body }) => body.data.id)).toEqual([id]);
});

test('deliveries name what they are about, and are found by it', async () => {
  const list = part('Deliveries');
  const number = await list.getByRole('link', { name: /^INV-/ }).first().innerText();
  await list.getByRole('combobox', { name: 'Number or name' }).fill(number);
  await list.getByRole('option', { name: number }).click();
  await list.getByText('Only of').waitFor();
  await looksRight(owner, 'endpoint-of-invoice');
  await list.getByRole('button', { name: 'Clear filters' }).click();
});

test('the delivery of an invoice shows the event that was sent, and leads to the invoice', async () => {
  const sent = receiver.deliveries.at(-1);
  await part('Deliveries').getByRole('link', { name: 'invoice.submitted' }).first().click();
  await owner.heading('invoice.submitted');
  const shown = await part('What is sent').getByRole('group', { name: 'The event as JSON' }).innerText();
  expect(JSON.parse(shown)).toEqual(sent?.body);
  await owner.press('link', /^INV-/);
  await owner.heading(/^INV-/);
  expect(owner.page.url()).toContain(sent?.body.data.id ?? 'none');
});

test('an endpoint is deleted once it is confirmed', async () => {
  await opens();
  await chooses('Delete');
  await looksRight(owner, 'webhook-delete');
  await dialog('Delete this endpoint?').getByRole('button', { name: 'Delete' }).click();
  await owner.sees('No endpoint yet');
  expect(await endpoints()).toEqual([]);
});

test('no page did what its policy forbids, and the browser keeps nothing', async () => {
  expect(owner.faults).toEqual([]);
  expect(await owner.kept()).toEqual([]);
});
