import { iso, type DomainError } from '@svc/kernel';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { receiptProcess } from '../receipt/process.ts';
import { callerOf } from '../testing/open-system.ts';
import { serve } from '../testing/serve.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const DAY_MS = 86_400_000;
const set = (body: object) => call('PATCH /issuer', { body });
const listed = async (query: string, route: 'GET /invoices' | 'GET /receipts' = 'GET /invoices') =>
  ((await call(route, { query })).body as { data: { id: string }[] }).data.map(({ id }) => id);
const until = (days: number) => iso(system.clock.now() + days * DAY_MS);
const detailsOf = ({ body }: { body: object }): string[] => Object.keys((body as { error: DomainError }).error.details ?? {});

test('a test issuer chooses an authority and submits at once; what identifies it stays until the authority has answered', async () => {
  const chosen = await set({ authority: 'al-cis', country: 'AL' });
  expect(chosen).toMatchObject({
    status: 200,
    body: {
      ...{ authority: 'al-cis', country: 'AL', currency: 'ALL', setup: { ready: true } },
      devices: [{ code: 'TILL1', unit: 'bb123bb123', authority_code: 'cc123cc123', state: 'registered' }],
    },
  });
  // What was read can be written, calculated fields included.
  expect(await set(chosen.body)).toMatchObject({ status: 200, body: { version: chosen.body['version'] } });
  const { id: _id, object: _object, ...shown } = (chosen.body['devices'] as Record<string, unknown>[])[0] as Record<string, unknown>;
  expect(detailsOf(await set({ devices: [{ ...shown, state: 'refused' }] }))).toEqual(['devices.0.state']);

  const body = { customer_id: await served.customer(), items: [{ description: 'x', unit_price: 10 }] };
  const id = String((await call('POST /invoices', { body })).body['id']);
  expect((await call('POST /invoices/{id}/submit', { id })).body).toMatchObject({ number: '1/2026', status: 'submitting' });

  const moved = await set({ authority: 'es-verifactu', legal_name: 'Heron' });
  expect([moved.status, ...detailsOf(moved)]).toEqual([422, 'authority', 'country', 'tax_id', 'installation']);
  expect((await set({ legal_name: 'Heron' })).status).toBe(200);

  expect([await listed(`fiscal_deadline_to=${until(1)}`), await listed(`fiscal_deadline_to=${until(3)}`)]).toEqual([[], [id]]);
  expect(await listed(`fiscal_deadline_to=${until(3).slice(0, 10)}`)).toEqual([id]);

  const event = outcomeEvent(
    { id: system.ids.next(), account: callerOf(system).account, subject: id },
    'document-registered',
    registration,
  );
  await invoiceProcess.applyOutcome(system.context, event);
  expect(await listed(`fiscal_deadline_to=${until(3)}`)).toEqual([]);
  expect(await set({ authority: 'es-verifactu' })).toMatchObject({ status: 200, body: { country: 'ES', setup: { ready: true } } });
});

test('receipts are listed by their legal end too, until they are registered', async () => {
  await set({ authority: 'me-efi', country: 'ME' });
  const body = { items: [{ description: 'x', unit_price: 10 }], payment_method: 'cash' };
  const id = String((await call('POST /receipts', { body })).body['id']);
  const by = (days: number) => listed(`fiscal_deadline_to=${until(days)}`, 'GET /receipts');
  expect([await by(1), await by(3)]).toEqual([[], [id]]);
  const of = { id: system.ids.next(), account: callerOf(system).account, subject: id };
  await receiptProcess.applyOutcome(system.context, outcomeEvent(of, 'document-registered', registration));
  expect(await by(3)).toEqual([]);
});
