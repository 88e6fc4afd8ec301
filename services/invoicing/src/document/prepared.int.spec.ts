import { serve } from '../testing/serve.ts';
import { invoicePublisher, invoices } from '../invoice/invoices.ts';
import { receiptPublisher, receipts } from '../receipt/receipts.ts';
import { registration } from './testing/outcomes.ts';
import { type Kind, kinds, reportedDocuments } from './testing/reported.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const { account, submitted, report } = reportedDocuments(served);
const read = async (kind: Kind, id: string) => (await call(`GET /${kind}s/{id}`, { id })).body as Record<string, never>;

const prepared = {
  round: 1,
  issuer_code: 'D04C13B4',
  verification_url: 'https://check.test/?iic=D04C13B4',
  prepared_at: '2026-01-16T12:00:00.000Z',
};
const shown = { issuer_code: 'D04C13B4', verification_url: 'https://check.test/?iic=D04C13B4' };

describe.each(kinds)('%s', (kind) => {
  test('shows what is printed of it before the authority has answered, once', async () => {
    const id = await submitted(kind);
    const before = await read(kind, id);
    await report(kind, id, 'document-prepared', prepared);
    await report(kind, id, 'document-prepared', prepared);
    const after = await read(kind, id);
    expect(after).toMatchObject({
      version: Number(before['version']) + 1,
      fiscal_code: null,
      fiscal: { ...shown, status: 'pending', code: null },
    });
    const { body: history } = await call(`GET /${kind}s/{id}/events`, { id });
    expect((history['data'] as object[]).at(-1)).toMatchObject({ type: 'updated', changes: { fiscal: shown } });
  });

  test('no longer shows why it could not be prepared', async () => {
    const id = await submitted(kind);
    const error = { code: 'credentials_missing', message: 'm', fixable: 'credentials' };
    const held = { round: 1, status: 'pending', error, next_attempt_at: null, attempts: 0, last_attempt_at: null };
    await report(kind, id, 'document-delayed', held);
    expect(await read(kind, id)).toMatchObject({
      fiscal: { status: 'pending', error: { code: 'credentials_missing', fixable: 'credentials' } },
    });
    await report(kind, id, 'document-prepared', prepared);
    expect(await read(kind, id)).toMatchObject({ fiscal: { ...shown, error: null } });
  });

  test('what is registered, or of another round, is not prepared any more', async () => {
    const id = await submitted(kind);
    await report(kind, id, 'document-prepared', { ...prepared, round: 2 });
    await report(kind, id, 'document-registered', { ...registration, issuer_code: 'REGISTERED' });
    await report(kind, id, 'document-prepared', prepared);
    expect(await read(kind, id)).toMatchObject({ fiscal: { status: 'registered', issuer_code: 'REGISTERED' } });
  });
});

/** What is published of a document for its registration. */
async function requestedOf(kind: Kind, id: string): Promise<unknown> {
  const [publisher, stream] =
    kind === 'invoice'
      ? [invoicePublisher, invoices.stream({ account, env: 'test', id })]
      : [receiptPublisher, receipts.stream({ account, env: 'test', id })];
  let state = publisher.initialState as never;
  const published: { type: string; data: object }[] = [];
  for (const recorded of await system.store.read(stream)) {
    state = publisher.evolve(state, recorded) as never;
    published.push(...(publisher.publish(recorded, state) as typeof published));
  }
  return published.findLast(({ type }) => type === 'invoicing.registration-requested.v1')?.data;
}

test('the request for a credit note says how its original was registered; that for an invoice nothing', async () => {
  const customer_id = await served.customer();
  const id = await submitted('invoice', { customer_id });
  await report('invoice', id, 'document-registered', { ...registration, issuer_code: 'IIC-1' });
  const original = await read('invoice', id);
  const note = await submitted('invoice', { customer_id, type: 'credit_note', corrects: id });
  const { number, issue_date, issued_at } = original;
  expect(await requestedOf('invoice', note)).toMatchObject({
    original: { number, issue_date, issued_at, issuer_code: 'IIC-1', fiscal_code: 'CODE-1' },
  });
  expect(await requestedOf('invoice', id)).not.toHaveProperty('original');
});
