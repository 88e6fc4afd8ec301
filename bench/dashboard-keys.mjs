// What a key press in a form of the dashboard costs the main thread of the renderer.
import { spentMs } from '../tests/browser/testing/renderer.ts';
import { aim } from './load.mjs';

/** Milliseconds of a key press. */
const GOAL_MS = 100;
const [TEXT, NUMBER] = ['Consulting, part 1', '123456789.12345678'];
/** Lines of a form that is as long as one may be, and of a large basket. */
const [MOST_LINES, SOLD] = [500, 24];
const REGISTERED_WITHIN_MS = 60_000;

/** In the form of a new invoice. */
export async function typed({ page, origin }) {
  await page.goto(`${origin}/app/invoices/new`);
  const anew = page.getByRole('button', { name: 'Discard it and begin anew' });
  const first = page.getByLabel('Description, line 1', { exact: true });
  await anew.or(first).first().waitFor();
  if (await anew.isVisible()) await anew.click();
  return costs(page, { of: '', fields: { 'Description, line 1': TEXT, Notes: TEXT } });
}

/** In that of a draft of 500 lines. */
export async function typedInMany(visitor) {
  const { page, origin } = visitor;
  const { id } = await longDraft(visitor);
  await page.goto(`${origin}/app/invoices/${id}/edit`);
  await page.getByLabel(`Description, line ${MOST_LINES}`, { exact: true }).waitFor();
  await page.getByText('EUR 6,000.00').first().waitFor();
  const fields = { 'Description, line 1': TEXT, [`Description, line ${MOST_LINES}`]: TEXT, Notes: TEXT };
  return costs(page, { of: ` of ${MOST_LINES} lines`, fields });
}

/** In that of the credit note of an invoice of 500 lines. */
export async function typedInCredit(visitor) {
  const { page, origin } = visitor;
  const { id } = await longDraft(visitor);
  await call(visitor, `/invoices/${id}/submit`, {});
  const until = performance.now() + REGISTERED_WITHIN_MS;
  while ((await call(visitor, `/invoices/${id}`)).status !== 'submitted') {
    if (performance.now() > until) throw new Error(`${id} is not registered`);
    await page.waitForTimeout(500);
  }
  await page.goto(`${origin}/app/invoices/${id}/credit`);
  await page.getByLabel('All lines', { exact: true }).click();
  await page.getByLabel(`Quantity to credit, line ${MOST_LINES}`, { exact: true }).waitFor();
  await page.getByText('6,000.00').first().waitFor();
  const fields = { 'Quantity to credit, line 1': NUMBER, [`Quantity to credit, line ${MOST_LINES}`]: NUMBER };
  return costs(page, { of: ` of ${MOST_LINES} lines`, fields });
}

/** At the till, with a large basket. */
export async function typedAtTill({ page, origin }) {
  await page.goto(`${origin}/app/till`);
  const keys = page.getByRole('button', { name: /^Bench product/ });
  await keys.first().waitFor();
  for (const key of (await keys.all()).slice(0, SOLD)) await key.click();
  const fields = { 'Product or text': TEXT, 'Quantity of Bench product 1': NUMBER, 'Price of Bench product 1, with tax': NUMBER };
  return costs(page, { of: ` at the till, ${SOLD} lines`, fields });
}

async function longDraft(visitor) {
  const [{ id: customer_id }] = (await call(visitor, '/customers?per_page=1')).data;
  const items = Array.from({ length: MOST_LINES }, (_, n) => ({ description: `Line ${n + 1}`, quantity: 1, unit_price: 10, tax_rate: 20 }));
  return call(visitor, '/invoices', { customer_id, items });
}

/** Asks the interface as the member; a POST where there is a body. */
async function call({ context, origin }, path, data) {
  const headers = { origin, 'x-livemode': 'false' };
  const answer = await context.request.fetch(`${origin}/console/v1${path}`, { headers, ...(data && { method: 'POST', data }) });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

/** `fields`: what is typed, by the name of the field. */
async function costs(page, { of, fields }) {
  const rows = [];
  for (const [name, text] of Object.entries(fields)) {
    await page.getByLabel(name, { exact: true }).first().focus();
    await page.waitForTimeout(500);
    const spent = await spentMs(page, () => page.keyboard.type(text), text.length);
    rows.push(aim(`a key press in ${name}${of}, ms of the renderer`, spent, GOAL_MS));
  }
  return rows;
}
