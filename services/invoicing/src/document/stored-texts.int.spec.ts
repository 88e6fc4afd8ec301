import type { Row } from '@svc/event-store';
import { streamOf, type Turn } from '@svc/kernel';
import { invoices, invoicesProjection } from '../invoice/invoices.ts';
import { receipts, receiptsProjection } from '../receipt/receipts.ts';
import { callerOf } from '../testing/open-system.ts';
import { serve } from '../testing/serve.ts';
import { storedTexts } from './stored-texts.ts';
import { registration } from './testing/outcomes.ts';
import { items, reportedDocuments } from './testing/reported.ts';

const served = serve();
const { call, system, customer } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const { account, submitted, report } = reportedDocuments(served);
const reading = () => ({ context: system.context, identity: callerOf(system) });
const rowsOf = {
  invoice: () => system.documents.collection<Row>(invoicesProjection.name),
  receipt: () => system.documents.collection<Row>(receiptsProjection.name),
};
const stored = {
  invoice: storedTexts({ store: system.store, rows: rowsOf.invoice, fields: [], eventsBefore: 0 }),
  receipt: storedTexts({ store: system.store, rows: rowsOf.receipt, fields: [], eventsBefore: 1 }),
};
const streamFor = (kind: 'invoice' | 'receipt', id: string): string => streamOf(kind, 'test', account, id);
const inTurn: Turn = async () => undefined;
/** A list waits for the rows. */
const listed = () => Promise.all([call('GET /invoices'), call('GET /receipts')]);
const draft = async (over: object = {}): Promise<string> =>
  String((await call('POST /invoices', { body: { customer_id: await customer(), items, ...over } })).body['id']);

test('is what the events say, at each version, byte for byte', async () => {
  const [invoice, receipt] = [await draft({ notes: 'Çmimi "net"' }), await submitted('receipt')];
  const steps = [
    () => call('PATCH /invoices/{id}', { id: invoice, body: { items: [{ description: 'y', unit_price: '12345678901234.56789' }] } }),
    () => call('POST /invoices/{id}/submit', { id: invoice }),
    () => report('invoice', invoice, 'document-registered', registration),
    () => call('POST /invoices/{id}/payments', { id: invoice, body: { amount: 1 } }),
    () => report('receipt', receipt, 'document-registered', registration),
    () => call('POST /receipts/{id}/void', { id: receipt, body: { reason: 'twice' } }),
  ];
  for (const step of [inTurn, ...steps]) {
    await step(0);
    await listed();
    expect((await stored.invoice(streamFor('invoice', invoice), inTurn))?.text).toEqual(await invoices.text(reading(), invoice));
    expect((await stored.receipt(streamFor('receipt', receipt), inTurn))?.text).toEqual(await receipts.text(reading(), receipt));
  }
});

test('a read after a write shows it, whether or not the list has it yet', async () => {
  const id = await draft();
  for (let version = 2; version < 40; version += 1) {
    const notes = `note ${version}`;
    await call('PATCH /invoices/{id}', { id, body: { notes } });
    if (version % 3 === 0) await listed();
    for (let n = 0; n < 2; n += 1)
      expect(await call('GET /invoices/{id}', { id })).toMatchObject({ body: { version, notes }, headers: { etag: `"${version}"` } });
  }
});

test('is found in the account alone that it is of, and only where there is one', async () => {
  const id = await draft();
  await listed();
  expect(await stored.invoice(streamFor('invoice', id), inTurn)).toBeDefined();
  for (const stream of [
    streamOf('invoice', 'live', account, id),
    streamOf('invoice', 'test', 'acct_2', id),
    streamFor('invoice', 'inv_none'),
  ])
    expect(await stored.invoice(stream, inTurn)).toBeUndefined();
});

test('where a server has the end of the stream no row is read', async () => {
  const rows = { indexed: () => Promise.reject(new Error('is read')) };
  const remote = storedTexts({ store: { end: () => undefined }, rows: () => rows, fields: [], eventsBefore: 0 });
  expect(await remote(streamFor('invoice', await draft()), inTurn)).toBeUndefined();
});

test('what is long waits for its turn, and shows then what was written meanwhile', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => ({ description: `${n} ${'x'.repeat(250)}`, unit_price: 1 }));
  const id = await draft({ items: lines });
  await listed();
  const turns: number[] = [];
  const turn: Turn = async (bytes) => {
    turns.push(bytes);
    if (turns.length === 1) await call('PATCH /invoices/{id}', { id, body: { notes: 'meanwhile' } });
    if (turns.length === 2) await listed();
  };
  expect(await stored.invoice(streamFor('invoice', id), turn)).toBeUndefined();
  expect(await call('GET /invoices/{id}', { id })).toMatchObject({ body: { notes: 'meanwhile' } });
  await listed();
  expect((await stored.invoice(streamFor('invoice', id), turn))?.text).toEqual(await invoices.text(reading(), id));
  expect(turns).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Math.min(...turns)).toBeGreaterThan(64 * 1_024);
});
