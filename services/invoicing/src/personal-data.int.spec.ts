import { createRelay } from '@svc/event-bus/publishing/relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import { runProjection, type RunningProjection, type Row } from '@svc/event-store';
import { DomainError } from '@svc/kernel';
import type { RunningWork } from '@svc/service';
import type { DocumentContext } from './document/context.ts';
import { createCustomer } from './customer/write.ts';
import { createInvoice, invoicePublisher, invoices, invoicesProjection } from './invoice/invoices.ts';
import { invoiceProcess } from './invoice/process.ts';
import { reviseInvoice, submitInvoice } from './invoice/write.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { createReceipt } from './receipt/write.ts';
import { receiptProcess } from './receipt/process.ts';
import { receiptPublisher, receipts, receiptsProjection } from './receipt/receipts.ts';
import { processWork } from './document/process/process-manager.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
const { context, keys, store } = system;
const published: string[] = [];
let projections: RunningProjection<Row>[];
let unfinished: RunningWork[];
beforeAll(() => {
  projections = [invoicesProjection, receiptsProjection].map((projection) =>
    runProjection(projection as never, system.documents, system.subscribing),
  );
  unfinished = processWork(context, system.subscribing, system.documents, []).map((work) => work.start());
});
afterAll(async () => {
  await Promise.all(unfinished.map((work) => work.stop()));
  await Promise.all(projections.map(({ subscription }) => subscription.stop()));
  system.engine.close();
  folder.remove();
});

const person = {
  name: 'Zebulon Quine',
  email: 'zq@quine.example',
  phone: '+33 1 99 88 77 66',
  tax_ids: [{ country: 'AQ', value: 'QX-471', kind: 'other' as const }],
  address: { line1: '9 Rue Unique', city: 'Lyons' },
};
const PERSONAL = /Zebulon|QX-471|quine\.example|99 88 77|Rue Unique|Lyons/;
const items = [{ description: 'x', unit_price: 10 }];

/** A document whose process died before or after its number was taken. */
async function halfNumbered(crash: 'before' | 'after' = 'before') {
  const account = `acct_${system.ids.next()}`;
  const identity = () => callerOf(system, account);
  const customer = await createCustomer({ context, customers: system.customers, identity: identity() }, person);
  const sequence: DocumentContext['sequence'] = {
    ...context.sequence,
    async take(claim) {
      if (crash === 'after') await context.sequence.take(claim);
      throw new Error('the process is gone');
    },
  };
  const broken = { ...context, sequence };
  const draft = async () => (await createInvoice({ context, identity: identity() }, { customer_id: customer.id, items })).id;
  const invoice = await draft();
  const submit = (on = context) =>
    submitInvoice({ context: on, identity: identity() }, { id: invoice, ifMatch: undefined, lateReason: null });
  await expect(submit(broken)).rejects.toThrow('gone');
  const till = identity();
  const body = { customer_id: customer.id, items, payment_method: 'cash' as const };
  await expect(createReceipt({ context: broken, identity: till }, body)).rejects.toThrow('gone');
  const receipt = `rcp_${till.commandId}`;
  const ref = (id: string) => ({ account, env: 'test' as const, id });
  return {
    ...{ account, identity, customer, draft, invoice, receipt, submit },
    sell: (by = till) => createReceipt({ context, identity: by }, body),
    finish: () => Promise.all([invoiceProcess.finish(context, ref(invoice)), receiptProcess.finish(context, ref(receipt))]),
    read: () => invoices.read({ context, identity: identity() }, invoice),
    readReceipt: () => receipts.read({ context, identity: identity() }, receipt),
    seriesOf: async (code: string) => store.read(`series-test.${account}.${code}.${new Date().getUTCFullYear()}`),
  };
}

/** Everything that the engine's file holds, without the customers' keys. */
function stored(): string {
  const tables = system.engine.sql(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[];
  const rows = tables.flatMap(({ name }) => system.engine.sql(`SELECT * FROM "${name}"`).all());
  return JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : typeof value === 'bigint' ? String(value) : value,
  );
}

/** Publishes everything that is stored. */
async function publishAll(): Promise<void> {
  const relay = createRelay({
    source: 'invoicing',
    store,
    deadLetters: deadLettersIn(system.documents),
    publishers: [invoicePublisher, receiptPublisher],
    publish: async (_topic, events) => void published.push(JSON.stringify(events)),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = store.subscribe('start', async ({ events, caughtUp }) => {
    await relay(events);
    if (caughtUp) resolve();
  });
  await promise;
  await stop();
}

const refusal = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.catch((reason: unknown) => reason);
  return error instanceof DomainError ? [error.code, ...Object.keys(error.details ?? {})] : error;
};

test('an unnumbered document has no personal data stored in clear or published; a numbered one has it as legal record', async () => {
  const s = await halfNumbered();
  const { version } = await reviseInvoice(
    { context, identity: s.identity() },
    { id: s.invoice, ifMatch: undefined, body: { metadata: { a: 'b' } } },
  );
  await Promise.all(projections.map((projection) => projection.barrier()));
  while (await unfinished[0]?.progress?.waiting()) await system.clock.sleep(10);
  await publishAll();
  expect(version).toBe(3);
  expect(stored()).toContain(s.invoice);
  expect(stored()).not.toMatch(PERSONAL);
  expect(published.join()).toContain(s.invoice);
  expect(published.join()).not.toMatch(PERSONAL);

  await s.finish();
  expect(await s.read()).toMatchObject({ status: 'submitting', customer: { id: s.customer.id, ...person, address: { city: 'Lyons' } } });
  expect(await s.readReceipt()).toMatchObject({ status: 'issued', customer: { id: s.customer.id, name: person.name } });
  expect(stored()).toMatch(PERSONAL);
  await Promise.all(projections.map((projection) => projection.barrier()));
  for (const { rows } of projections)
    for await (const row of rows.find({ account: s.account })) expect(JSON.stringify(row)).toMatch(PERSONAL);
});

test('a customer erased before the number is taken: the request is rejected and no number is used', async () => {
  const s = await halfNumbered();
  await keys.destroy(s.customer.id);
  await s.finish();
  expect(await s.read()).toMatchObject({ status: 'draft', number: null, customer: null });
  expect(await refusal(s.readReceipt())).toEqual(['not_found']);
  expect(await refusal(s.sell())).toEqual(['validation_error', 'customer_id']);
  expect(await refusal(s.submit())).toEqual(['validation_error', 'customer_id']);
  expect(await refusal(s.sell(s.identity()))).toEqual(['validation_error', 'customer_id']);
  const links = [...(await s.seriesOf('INV')), ...(await s.seriesOf('RCP'))];
  expect(links.map(({ type }) => type)).toEqual(['NumberRefused', 'NumberRefused']);
});

test('a customer erased between a request and its number in one submission: the same; else the submission reads its document once', async () => {
  const s = await halfNumbered();
  const reads: string[] = [];
  const submit = async (after: () => Promise<void>) => {
    const id = await s.draft();
    const on: DocumentContext['store'] = {
      ...store,
      read: (stream, ...rest) => (reads.push(stream), store.read(stream, ...rest)),
      async append(stream, ...rest) {
        const done = await store.append(stream, ...rest);
        if (stream.endsWith(id)) await after();
        return done;
      },
    };
    await submitInvoice({ context: { ...context, store: on }, identity: s.identity() }, { id, ifMatch: undefined, lateReason: null });
    return id;
  };
  const id = await submit(async () => undefined);
  expect(reads.filter((stream) => stream.endsWith(id))).toHaveLength(1);
  expect(await refusal(submit(() => keys.destroy(s.customer.id)))).toEqual(['validation_error', 'customer_id']);
  expect((await s.seriesOf('INV')).map(({ type }) => type)).toEqual(['NumberTaken', 'NumberRefused']);
});

test('a number taken before the erasure stays with the document, which then names no customer', async () => {
  const s = await halfNumbered('after');
  await keys.destroy(s.customer.id);
  await s.finish();
  const nobody = { id: s.customer.id, name: null, email: null, phone: null, tax_id: null, address: null };
  expect(await s.read()).toMatchObject({ status: 'submitting', number: expect.stringMatching(/-000001$/), customer: nobody });
  expect(await s.readReceipt()).toMatchObject({ number: expect.stringMatching(/-000001$/), customer: nobody });
});
