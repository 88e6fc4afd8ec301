import { prefixed } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { reportedDocuments } from '../document/testing/reported.ts';
import { serve } from '../testing/serve.ts';

const served = serve();
const { call } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const body = { items: [{ description: 'Coffee', unit_price: 12 }], payment_method: 'cash' };

test('from creation to void: every response matches the contract and has its version as ETag', async () => {
  const made = await call('POST /receipts', { body });
  const id = String(made.body['id']);
  expect([made.status, made.headers.etag, made.body['version']]).toEqual([201, '"1"', 1]);
  expect((await call('GET /receipts/{id}', { id })).body).toEqual(made.body);
  expect((await call('POST /receipts/{id}/void', { id })).body).toMatchObject({ error: { details: { reason: [expect.any(String)] } } });
  const stale = { id, headers: { 'if-match': '"2"' }, body: { reason: 'wrong till' } };
  expect((await call('POST /receipts/{id}/void', stale)).status).toBe(412);
  const voiding = await call('POST /receipts/{id}/void', { ...stale, headers: { 'if-match': '"1"' } });
  expect(voiding).toMatchObject({ status: 200, body: { status: 'voiding', version: 2 }, headers: { etag: '"2"' } });
  expect((await call('POST /receipts/{id}/resubmit', { id })).body).toMatchObject({ error: { code: 'invalid_state' } });
  expect((await call('GET /receipts/{id}/events', { id })).body).toMatchObject({
    data: [
      { version: 1, type: 'created' },
      { version: 2, type: 'void_requested' },
    ],
  });
});

test('Prefer: wait delays the response of a new receipt', async () => {
  const answer = await call('POST /receipts', { body, headers: { prefer: 'wait=1' } });
  expect(answer).toMatchObject({ status: 201, body: { fiscal: { status: 'pending' } }, headers: { 'preference-applied': 'wait=1' } });
});

test('an unknown id is 404', async () => {
  for (const id of [`rcp_${'0'.repeat(26)}`, 'nonsense']) {
    for (const name of ['GET /receipts/{id}', 'GET /receipts/{id}/events', 'POST /receipts/{id}/resubmit'] as const) {
      expect((await call(name, { id })).status).toBe(404);
    }
    expect((await call('POST /receipts/{id}/void', { id, body: { reason: 'wrong till' } })).status).toBe(404);
  }
});

test('lists: with the version of the receipt, by filter and order', async () => {
  const customer_id = await served.customer();
  const make = async (unit_price: number, over: object = {}) =>
    (await call('POST /receipts', { body: { ...body, customer_id, items: [{ description: 'x', unit_price }], ...over } })).body;
  const [a, b, c] = [await make(30), await make(10, { currency: 'USD' }), await make(20)];
  const found = async (query: string) =>
    (await call('GET /receipts', { query: `customer_id=${customer_id}&${query}` })).body['data'] as object[];
  expect(await found('')).toEqual([c, b, a]);
  expect(await found('sort=total')).toEqual([b, c, a]);
  expect(await found('currency=USD')).toEqual([b]);
  expect(await found(`number=${String(a['number'])}&series=RCP&type=standard`)).toEqual([a]);
  expect(await found('status=voided')).toEqual([]);
  expect(await found('status=voided,issued&type=standard,corrective&currency=EUR,ALL')).toEqual([c, a]);
});

test('where the authority does not answer other documents, a till waits for no more than the link on its paper', async () => {
  const { submitted, report } = reportedDocuments(served);
  const error = { code: 'no_answer', message: 'm', fixable: null };
  for (const kind of ['receipt', 'invoice', 'receipt'] as const)
    await report(kind, await submitted(kind), 'document-delayed', { round: 1, status: 'unknown', error, next_attempt_at: null });
  const commandId = served.system.ids.next();
  const id = prefixed('rcp', commandId);
  const waiting = call('POST /receipts', { body, commandId, headers: { prefer: 'wait=20' } });
  await until(async () => (await call('GET /receipts/{id}', { id })).status === 200);
  const verification_url = 'https://check.test/?iic=IIC';
  await report('receipt', id, 'document-prepared', {
    round: 1,
    issuer_code: 'IIC',
    verification_url,
    prepared_at: '2026-01-16T12:00:00.000Z',
  });
  const late = served.system.clock.sleep(4_000).then(() => 'waits still');
  expect(await Promise.race([waiting, late])).toMatchObject({ body: { fiscal: { status: 'pending', verification_url, error: null } } });
});

test('a process that stops answers requests that wait, and lets none wait any more', async () => {
  const waiting = call('POST /receipts', { body, headers: { prefer: 'wait=20' } });
  void served.system.clock.sleep(300).then(() => served.system.stopping.abort());
  expect(await waiting).toMatchObject({
    status: 201,
    body: { fiscal: { status: 'pending' } },
    headers: { 'preference-applied': 'wait=20' },
  });
  const late = await call('POST /receipts', { body, headers: { prefer: 'wait=20' } });
  expect(late.status).toBe(201);
  expect(late.headers).not.toHaveProperty('preference-applied');
});
