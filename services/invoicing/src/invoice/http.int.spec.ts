import { dayIn, plusDays } from '@svc/kernel';
import { callerOf } from '../testing/open-system.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { serve } from '../testing/serve.ts';
import { invoices } from './invoices.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const item = (unit_price: number) => ({ description: 'x', unit_price, tax_rate: 0 });
const draft = async (over: object = {}): Promise<string> =>
  String((await call('POST /invoices', { body: { customer_id: await served.customer(), items: [item(10)], ...over } })).body['id']);
const today = (): string => dayIn('Europe/Paris', system.clock.now());

const register = (id: string): Promise<unknown> =>
  invoices.applyOutcome(
    system.context,
    outcomeEvent({ id: system.ids.next(), account: callerOf(system).account, subject: id }, 'document-registered', registration),
  );

test('from draft to void: every response matches the contract and has its version as ETag', async () => {
  const made = await call('POST /invoices', { body: { customer_id: await served.customer(), items: [item(10)] } });
  const id = String(made.body['id']);
  expect([made.status, made.headers.etag]).toEqual([201, '"1"']);
  expect((await call('GET /invoices/{id}', { id })).body).toEqual(made.body);
  const patched = await call('PATCH /invoices/{id}', { id, body: { notes: 'n' }, headers: { 'if-match': '"1"' } });
  expect(patched).toMatchObject({ status: 200, body: { notes: 'n', version: 2 } });
  const stale = { id, headers: { 'if-match': '"1"' } };
  expect((await call('PATCH /invoices/{id}', { ...stale, body: { notes: 'late' } })).status).toBe(412);
  for (const name of ['POST /invoices/{id}/submit', 'POST /invoices/{id}/void'] as const)
    expect((await call(name, stale)).status).toBe(412);
  expect(await call('POST /invoices/{id}/submit', { id })).toMatchObject({ status: 200, body: { status: 'submitting', version: 4 } });
  await register(id);
  expect((await call('POST /invoices/{id}/void', { id, body: {} })).body).toMatchObject({
    error: { details: { reason: [expect.any(String)] } },
  });
  const voiding = await call('POST /invoices/{id}/void', { id, body: { reason: 'entered twice' } });
  expect(voiding).toMatchObject({ status: 200, body: { status: 'voiding', fiscal_code: 'CODE-1' } });
  const { body: history } = await call('GET /invoices/{id}/events', { id, query: 'per_page=100' });
  const types = (history['data'] as { type: string }[]).map(({ type }) => type);
  expect(types).toEqual(['created', 'updated', 'submission_requested', 'numbered', 'registered', 'void_requested']);
});

test('history is paginated', async () => {
  const id = await draft();
  for (const notes of ['a', 'b', 'c']) await call('PATCH /invoices/{id}', { id, body: { notes } });
  const { body } = await call('GET /invoices/{id}/events', { id, query: 'per_page=2&page=2' });
  expect(body).toMatchObject({ data: [{ version: 3, changes: { notes: 'b' } }, { version: 4 }], meta: { total: 4, last_page: 2 } });
});

test('an unknown id is 404 before anything else is checked', async () => {
  for (const id of [`inv_${'0'.repeat(26)}`, 'nonsense', `cust_${'0'.repeat(26)}`]) {
    const headers = { 'if-match': '"77"' };
    for (const name of ['GET /invoices/{id}', 'GET /invoices/{id}/events', 'POST /invoices/{id}/submit'] as const) {
      expect((await call(name, { id, headers })).status).toBe(404);
    }
    expect((await call('PATCH /invoices/{id}', { id, headers, body: { customer_id: `cust_${'0'.repeat(26)}` } })).status).toBe(404);
  }
});

test('Prefer: wait delays the response until the authority has answered', async () => {
  const id = await draft();
  void system.clock.sleep(300).then(() => register(id));
  const answer = await call('POST /invoices/{id}/submit', { id, headers: { prefer: 'wait=20' } });
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'submitted', fiscal_code: 'CODE-1' },
    headers: { 'preference-applied': 'wait=20' },
  });
});

test('Prefer: wait that times out returns the current state; without it the preference is not applied', async () => {
  const id = await draft();
  const waited = await call('POST /invoices/{id}/submit', { id, headers: { prefer: 'wait=1' } });
  expect(waited).toMatchObject({ body: { status: 'submitting' }, headers: { 'preference-applied': 'wait=1' } });
  expect((await call('POST /invoices/{id}/submit', { id })).headers).not.toHaveProperty('preference-applied');
});

test('lists: every filter and order', async () => {
  const [jo, ann] = [await served.customer(), await served.customer()];
  const cheap = await draft({ customer_id: jo, items: [item(3)], series: 'LIST', currency: 'USD' });
  const dear = await draft({ customer_id: jo, items: [item(100)], series: 'LIST', issue_date: plusDays(today(), -40) });
  const middle = await draft({ customer_id: ann, items: [item(20)], series: 'LIST' });
  const { number } = (await call('POST /invoices/{id}/submit', { id: dear })).body;
  await call('POST /invoices/{id}/submit', { id: middle });
  const found = async (query: string): Promise<string[]> =>
    ((await call('GET /invoices', { query: `series=LIST&${query}` })).body['data'] as { id: string }[]).map(({ id }) => id);
  expect(await found('')).toEqual([middle, dear, cheap]);
  expect(await found('sort=created_at')).toEqual([cheap, dear, middle]);
  expect(await found('sort=total')).toEqual([cheap, middle, dear]);
  expect(await found('sort=-total')).toEqual([dear, middle, cheap]);
  expect(await found('status=submitting&sort=number')).toEqual([dear, middle]);
  expect(await found('status=submitting&sort=-issue_date')).toEqual([middle, dear]);
  expect(await found(`customer_id=${jo}`)).toEqual([dear, cheap]);
  expect(await found(`number=${String(number)}`)).toEqual([dear]);
  expect(await found('currency=USD')).toEqual([cheap]);
  expect(await found('type=standard&payment_status=unpaid&status=draft')).toEqual([cheap]);
  expect(await found('corrects=inv_1')).toEqual([]);
  expect(await found(`issue_from=${today()}`)).toEqual([middle]);
  expect(await found(`issue_to=${plusDays(today(), -40)}`)).toEqual([dear]);
  expect(await found(`created_from=${today()}&created_to=${today()}`)).toEqual([middle, dear, cheap]);
  expect(await found(`created_to=${plusDays(today(), -1)}`)).toEqual([]);
});
