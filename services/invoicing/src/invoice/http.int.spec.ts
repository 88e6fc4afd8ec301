import { dayIn, plusDays } from '@svc/kernel';
import { deleteCustomer } from '../customer/write.ts';
import { callerOf } from '../testing/open-system.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { serve } from '../testing/serve.ts';
import { invoiceProcess } from './process.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const item = (unit_price: number) => ({ description: 'x', unit_price, tax_rate: 0 });
const draft = async (over: object = {}): Promise<string> =>
  String((await call('POST /invoices', { body: { customer_id: await served.customer(), items: [item(10)], ...over } })).body['id']);
const today = (): string => dayIn('Europe/Paris', system.clock.now());

const register = (id: string): Promise<unknown> =>
  invoiceProcess.applyOutcome(
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

test('the day of supply and the exchange rate are kept exactly, changed and removed', async () => {
  expect((await call('GET /invoices/{id}', { id: await draft() })).body).toMatchObject({ supply_date: null, exchange_rate: null });
  const id = await draft({ supply_date: '2026-01-10', exchange_rate: '117.12345678', currency: 'USD' });
  expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({ supply_date: '2026-01-10', exchange_rate: 117.12345678 });
  await call('PATCH /invoices/{id}', { id, body: { supply_date: null, exchange_rate: 98.5 } });
  expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({ version: 2, supply_date: null, exchange_rate: 98.5 });
  for (const exchange_rate of [0, -1, '1.123456789'])
    expect(await call('PATCH /invoices/{id}', { id, body: { exchange_rate } })).toMatchObject({
      status: 422,
      body: { error: { details: { exchange_rate: [expect.any(String)] } } },
    });
});

describe('a preview', () => {
  const body = async (over: object = {}) => ({
    ...{ customer_id: await served.customer(), discounts: [{ percent: 10 }] },
    items: [{ description: 'x', quantity: 3, unit_price: 33.335, tax_rate: 20 }],
    ...over,
  });
  const preview = (body: object, query = '') => call('POST /invoices/preview', { body, query });
  const stored = () => system.engine.sql('SELECT count(*) AS count FROM events').get();

  test('has the totals of the invoice that would be made, and stores nothing', async () => {
    const asked = await body();
    const before = stored();
    const seen = await preview(asked);
    expect([seen.status, stored()]).toEqual([200, before]);
    expect(seen.body).not.toHaveProperty('explanation');
    const { object: _, amount_due, ...amounts } = seen.body;
    expect(amount_due).toBe(108.01);
    // A draft owes nothing yet.
    expect((await call('POST /invoices', { body: asked })).body).toMatchObject({ ...amounts, amount_due: 0, payment_status: null });
  });

  test('explained, it tells each step with its rule, and the same totals', async () => {
    const asked = await body();
    const [plain, told] = [await preview(asked), await preview(asked, 'explain=true')];
    expect(told.body).toMatchObject({ ...plain.body, explanation_left_out: 0 });
    expect(
      (told.body['explanation'] as { step: string; field: string; calculation: string; result: number }[]).map(
        ({ step, field, calculation, result }) => [step, field, calculation, result],
      ),
    ).toEqual([
      ['gross', 'items.0', '3 × 33.335', 100.01],
      ['discount', 'discounts.0', '10 % of 100.01', 10],
      ['share', 'discounts.0', '10 × 100.01 / 100.01', 10],
      ['tax', 'tax_breakdown.0.amount', '90.01 × 20 / 100', 18],
      ['tax_total', 'tax_total', '18', 18],
      ['total', 'total', 'R(90.01) + 18', 108.01],
      ['subtotal', 'subtotal', '108.01 − 18', 90.01],
    ]);
  });

  test('is refused as the invoice would be', async () => {
    const taxes = (n: number) => Array.from({ length: 10 }, (_, at) => ({ category: `T${n}X${at}`, rate: 1, code: 'S' }));
    const lines = Array.from({ length: 500 }, (_, n) => ({ unit_price: 1, taxes: taxes(n) }));
    for (const over of [{ customer_id: `cust_${'0'.repeat(26)}` }, { issue_date: '2999-01-01' }, { items: lines }]) {
      const asked = await body(over);
      const made = await call('POST /invoices', { body: asked });
      const { status, body: refused } = await preview(asked, 'explain=true');
      expect([status, refused['error']]).toEqual([422, { ...(made.body['error'] as object), request_id: expect.any(String) }]);
    }
  });
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
  const cheap = await draft({ customer_id: jo, items: [item(3)], series: 'LIST', currency: 'USD', due_date: plusDays(today(), 3) });
  const dear = await draft({ customer_id: jo, items: [item(100)], series: 'LIST', issue_date: plusDays(today(), -40) });
  const middle = await draft({ customer_id: ann, items: [item(20)], series: 'LIST', due_date: today() });
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
  expect(await found('status=draft,submitting&currency=EUR,USD')).toEqual([middle, dear, cheap]);
  expect(await found(`status=draft,failed&customer_id=${jo},${ann}`)).toEqual([cheap]);
  expect(await found(`sort=total&number=${String(number)},NOBODY`)).toEqual([dear]);
  expect(await found('type=standard&payment_status=unpaid')).toEqual([middle, dear]);
  expect(await found('payment_status=unpaid&status=draft')).toEqual([]);
  expect(await found('corrects=inv_1')).toEqual([]);
  expect(await found(`issue_from=${today()}`)).toEqual([middle]);
  expect(await found('fiscal_status=pending,rejected')).toEqual([middle, dear]);
  expect(await found(`due_from=${today()}&due_to=${today()}`)).toEqual([middle]);
  expect(await found(`due_to=${plusDays(today(), -1)}`)).toEqual([]);
  expect(await found(`due_from=${plusDays(today(), 1)}&due_to=${plusDays(today(), 3)}&status=draft,submitting`)).toEqual([cheap]);
  expect(await found(`issue_to=${plusDays(today(), -40)}`)).toEqual([dear]);
  expect(await found(`created_from=${today()}&created_to=${today()}`)).toEqual([middle, dear, cheap]);
  expect(await found(`created_to=${plusDays(today(), -1)}`)).toEqual([]);
});

describe('payments', () => {
  const paid_at = '2026-01-16';
  const submitted = async (over: object = {}): Promise<string> => {
    const id = await draft(over);
    await call('POST /invoices/{id}/submit', { id });
    await register(id);
    return id;
  };
  const pay = (id: string, amount: number | string, more: object = {}, headers = {}) =>
    call('POST /invoices/{id}/payments', { id, headers, body: { amount, paid_at, ...more } });
  const listed = async (id: string, query = ''): Promise<unknown[]> =>
    ((await call('GET /invoices/{id}/payments', { id, query })).body['data'] as { amount: number }[]).map(({ amount }) => amount);

  test('are recorded, listed newest first, and reversed; the invoice and its history tell', async () => {
    const id = await submitted({ items: [item(120)] });
    const first = await pay(id, '50.25', { method: 'transfer', reference: 'R-1', metadata: { a: 'b' } });
    expect(first).toMatchObject({
      status: 201,
      body: { invoice_id: id, amount: 50.25, currency: 'EUR', paid_at, method: 'transfer', reference: 'R-1', metadata: { a: 'b' } },
    });
    expect(first.headers).not.toHaveProperty('etag');
    expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({
      ...{ version: 5, amount_paid: 50.25, amount_due: 69.75, payment_status: 'partial' },
      available_actions: ['record_payment'],
      unavailable_actions: { void: expect.stringContaining('Reverse the payments') },
    });
    const second = await pay(id, 69.75);
    expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({
      amount_due: 0,
      payment_status: 'paid',
      available_actions: [],
    });
    expect(await listed(id)).toEqual([69.75, 50.25]);
    expect(await listed(id, 'per_page=1&page=2')).toEqual([50.25]);

    const reverse = () => call('DELETE /invoices/{id}/payments/{pay}', { id, pay: String(second.body['id']) });
    const reversed = await reverse();
    expect(reversed).toMatchObject({
      status: 200,
      body: { ...second.body, updated_at: expect.any(String), deleted_at: expect.any(String) },
    });
    expect(await reverse()).toMatchObject({ status: 200, body: reversed.body });
    expect(await listed(id)).toEqual([50.25]);
    expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({ version: 7, amount_paid: 50.25, amount_due: 69.75 });
    const { body: history } = await call('GET /invoices/{id}/events', { id, query: 'per_page=100' });
    expect((history['data'] as { type: string; changes: object }[]).slice(-3)).toMatchObject([
      { type: 'payment_recorded', changes: { amount_paid: 50.25, amount_due: 69.75, payment_status: 'partial' } },
      { type: 'payment_recorded', changes: { amount_paid: 120, amount_due: 0, payment_status: 'paid' } },
      { type: 'payment_reversed', changes: { amount_paid: 50.25, amount_due: 69.75, payment_status: 'partial' } },
    ]);
  });

  test('are of the retained amount less, and exact where a double is not', async () => {
    const retained = { taxes: [{ rate: 0 }, { category: 'IRPF', rate: 15, retained: true }] };
    const id = await submitted({ items: [{ description: 'x', unit_price: '800000000000.13', ...retained }] });
    expect((await pay(id, '680000000000.12')).body).toMatchObject({
      error: { details: { amount: [expect.stringContaining('680000000000.11')] } },
    });
    expect((await pay(id, '680000000000.01')).status).toBe(201);
    expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({ amount_due: 0.1, payment_status: 'partial' });
  });

  test.each([
    ['beyond amount_due', 10.01],
    ['finer than the currency', '1.001'],
    ['zero', 0],
    ['negative', -1],
  ])('%s is 422 amount', async (_, amount) => {
    expect(await pay(await submitted(), amount)).toMatchObject({
      status: 422,
      body: { error: { code: 'validation_error', details: { amount: [expect.any(String)] } } },
    });
  });

  test('a state that takes none is 422 invalid_state; an unknown payment 404 before a stale version is 412', async () => {
    const invalid = { status: 422, body: { error: { code: 'invalid_state' } } };
    expect(await pay(await draft(), 1)).toMatchObject(invalid);
    const id = await submitted();
    const { body } = await pay(id, 1);
    expect(await call('POST /invoices/{id}/void', { id, body: { reason: 'entered twice' } })).toMatchObject(invalid);
    const stale = { 'if-match': '"1"' };
    expect((await pay(id, 1, {}, stale)).status).toBe(412);
    const reverse = (payment: string) => call('DELETE /invoices/{id}/payments/{pay}', { id, pay: payment, headers: stale });
    expect((await reverse(String(body['id']))).status).toBe(412);
    expect((await reverse(`pay_${'0'.repeat(26)}`)).status).toBe(404);
    expect((await call('GET /invoices/{id}/payments', { id: `inv_${'0'.repeat(26)}` })).status).toBe(404);
    await call('DELETE /invoices/{id}/payments/{pay}', { id, pay: String(body['id']) });
    expect(await call('POST /invoices/{id}/void', { id, body: { reason: 'entered twice' } })).toMatchObject({
      body: { status: 'voiding' },
    });
    expect(await pay(id, 1)).toMatchObject(invalid);
  });

  test('at the same moment: exactly those that fit are taken', async () => {
    const id = await submitted({ items: [item(120)] });
    const until = async (): Promise<number> => {
      const { status } = await pay(id, 10);
      return status === 503 ? until() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, until));
    expect(statuses.toSorted()).toEqual([...Array<number>(12).fill(201), ...Array<number>(8).fill(422)]);
    expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({ amount_due: 0, amount_paid: 120 });
  });

  test('lists find invoices by payment_status', async () => {
    const [partial, paid, unpaid] = [
      await submitted({ series: 'PAY' }),
      await submitted({ series: 'PAY' }),
      await submitted({ series: 'PAY' }),
    ];
    await pay(partial, 1);
    await pay(paid, 10);
    for (const [status, id] of Object.entries({ partial, paid, unpaid })) {
      const { body } = await call('GET /invoices', { query: `series=PAY&payment_status=${status}` });
      expect((body['data'] as { id: string }[]).map((one) => one.id)).toEqual([id]);
    }
  });
});

describe('credit notes and correctives', () => {
  const wrongOf = async (name: 'POST /invoices' | 'POST /invoices/{id}/submit' | 'PATCH /invoices/{id}', request: object) => {
    const { status, body } = await call(name, request);
    const { code, details } = body['error'] as { code: string; details: object };
    return [status, code, ...Object.keys(details)];
  };
  async function issued(over: object = {}) {
    const id = await draft(over);
    await call('POST /invoices/{id}/submit', { id });
    await register(id);
    return (await call('GET /invoices/{id}', { id })).body as { id: string; customer_id: string };
  }
  const correcting = ({ id, customer_id }: { id: string; customer_id: string }, over: object = {}) => ({
    ...{ type: 'credit_note', corrects: id, customer_id, items: [item(4)] },
    ...over,
  });

  test('are created, submitted and found by their type and by what they correct', async () => {
    const original = await issued();
    const made = await call('POST /invoices', { body: correcting(original) });
    expect(made).toMatchObject({
      status: 201,
      body: { type: 'credit_note', corrects: original.id, series: 'CN', total: 4, amount_due: 0, payment_status: null, status: 'draft' },
    });
    const note = await issued(correcting(original));
    const less = await issued(correcting(original, { type: 'corrective', items: [{ ...item(5), quantity: -1 }] }));
    expect(note).toMatchObject({ status: 'submitted', number: expect.stringMatching(/^CN-\d{4}-000001$/), available_actions: ['void'] });
    expect(less).toMatchObject({ status: 'submitted', number: expect.stringMatching(/^COR-/), total: -5, amount_due: -5 });
    const { body: now } = await call('GET /invoices/{id}', { id: original.id });
    expect(now).toMatchObject({ total: 10, amount_credited: 4, amount_due: 6, payment_status: 'partial' });
    const found = async (query: string) => ((await call('GET /invoices', { query })).body['data'] as { id: string }[]).map(({ id }) => id);
    expect(await found(`corrects=${original.id}&status=submitted`)).toEqual([less.id, note.id]);
    expect(await found(`corrects=${original.id}&type=credit_note`)).toEqual([note.id, made.body['id']]);
    expect(await found(`type=corrective&customer_id=${original.customer_id}`)).toEqual([less.id]);
    expect(await found(`payment_status=partial&customer_id=${original.customer_id}`)).toEqual([original.id]);
    const { body: refused } = await call('POST /invoices/{id}/void', { id: original.id, body: { reason: 'Wrong customer' } });
    expect(refused).toMatchObject({ error: { code: 'invalid_state', message: expect.stringContaining('credit note or corrective') } });
  });

  test.each<[string, object, string[]]>([
    ['names nothing', { corrects: undefined }, ['corrects']],
    ['is said to be standard', { type: 'standard' }, ['corrects']],
    ['has another currency', { currency: 'USD' }, ['corrects']],
    ['names an invoice that does not exist', { corrects: `inv_${'0'.repeat(26)}` }, ['corrects']],
    ['is more than the invoice', { items: [item(10.01)] }, ['corrects']],
    ['is nothing', { items: [item(0)] }, ['items']],
  ])('one that %s is refused', async (_, over, fields) => {
    const body = correcting(await issued(), over);
    expect(await wrongOf('POST /invoices', { body })).toEqual([422, 'validation_error', ...fields]);
  });

  test('one for another customer, or of a draft, is refused; one whose customer is deleted is made', async () => {
    const original = await issued();
    const other = await served.customer();
    expect(await wrongOf('POST /invoices', { body: correcting(original, { customer_id: other }) })).toEqual([
      422,
      'validation_error',
      'corrects',
    ]);
    const of = { id: await draft({ customer_id: other }), customer_id: other };
    expect(await wrongOf('POST /invoices', { body: correcting(of) })).toEqual([422, 'validation_error', 'corrects']);
    const writing = { context: system.context, customers: system.customers, identity: callerOf(system) };
    await deleteCustomer(writing, { id: original.customer_id, ifMatch: undefined });
    expect(await call('POST /invoices', { body: correcting(original) })).toMatchObject({ status: 201 });
  });

  test('what is left is decided at submission, and a patch of the amount mends it', async () => {
    const original = await issued();
    const id = String((await call('POST /invoices', { body: correcting(original, { items: [item(8)] }) })).body['id']);
    await issued(correcting(original));
    expect(await wrongOf('POST /invoices/{id}/submit', { id })).toEqual([422, 'validation_error', 'corrects']);
    expect((await call('GET /invoices/{id}', { id })).body).toMatchObject({ status: 'draft', number: null, version: 1 });
    expect(await wrongOf('PATCH /invoices/{id}', { id, body: { items: [item(7)] } })).toEqual([422, 'validation_error', 'corrects']);
    expect(await wrongOf('PATCH /invoices/{id}', { id, body: { corrects: id } })).toEqual([422, 'validation_error', 'corrects']);
    expect(await call('PATCH /invoices/{id}', { id, body: { corrects: original.id } })).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    await call('PATCH /invoices/{id}', { id, body: { items: [item(6)] } });
    expect(await call('POST /invoices/{id}/submit', { id })).toMatchObject({ status: 200, body: { status: 'submitting', total: 6 } });
  });
});
