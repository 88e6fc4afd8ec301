import { createSequence } from '@svc/event-store';
import { type DomainError, FakeClock, iso, prefixed } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { createCustomer } from '../customer/write.ts';
import { updateIssuer } from '../issuer/update.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { submitInvoice } from '../invoice/write.ts';
import { createReceipt } from '../receipt/write.ts';
import { beginNumbering } from './take-number.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { closedSeries, noClosedSeries, seriesRowIndexes, type SeriesRow } from './series.ts';
import { listSeries, noteSeries, raiseSeries, type SeriesContext } from './series-numbers.ts';

const RESTORED = Date.UTC(2026, 5, 15, 12);
const folder = dataFolder();
const clock = new FakeClock(RESTORED - 86_400_000);
const system = openSystem(folder.path, clock);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const rows = system.documents.collection<SeriesRow>('series_after_restore', { indexes: seriesRowIndexes });
const restored = { at: iso(RESTORED), until: 0n };

let accounts = 0;
/** An account of before the restore. `after`: the service as it runs after the restore. */
async function fixture(account = `acct_01jh2k3m4n5p6q7r8s9t0v1${String((accounts += 1)).padStart(3, '0')}`) {
  const { context } = system;
  const after: DocumentContext = { ...context, closedSeries: closedSeries(restored, rows) };
  const operators: SeriesContext = { ...after, issuers: system.issuers, rows, restored };
  const identity = () => callerOf(system, account);
  const { id: customer_id } = await createCustomer({ context, customers: system.customers, identity: identity() }, { name: 'Blue Heron' });
  const draft = () =>
    createInvoice({ context, identity: identity() }, { customer_id, items: [{ description: 'x', unit_price: 10 }] }).then(({ id }) => id);
  const submit = (id: string, on: DocumentContext = after) =>
    submitInvoice({ context: on, identity: identity() }, { id, ifMatch: undefined, lateReason: null }).then(({ number }) => number);
  const status = (id: string) => invoices.read({ context, identity: identity() }, id).then((invoice) => invoice.status);
  return { account, after, operators, identity, draft, submit, status, series: `series-test.${account}.INV.2026` };
}
const codeOf = (work: Promise<unknown>): Promise<string> => work.then(String, (error: unknown) => (error as DomainError).code);

beforeAll(() => clock.advance(86_400_000 + 3_600_000));

test('a series takes no number after a restore until it is raised, then continues behind the raised count', async () => {
  const f = await fixture();
  expect(await f.submit(await f.draft(), system.context)).toBe('INV-2026-000001');
  const lost = await f.draft();
  expect(await codeOf(f.submit(lost))).toBe('service_unavailable');
  expect(await f.status(lost)).toBe('draft');
  expect(await listSeries(f.operators, false)).toContainEqual({ series: f.series, open: false, last: 1, last_issue_date: '2026-06-15' });

  await raiseSeries(f.operators, { series: f.series, last: 7, confirm: true });
  expect(await f.submit(lost)).toBe('INV-2026-000008');
  expect(await f.submit(await f.draft())).toBe('INV-2026-000009');
  expect(await listSeries(f.operators, true)).toContainEqual({ series: f.series, open: true, last: 9, last_issue_date: '2026-06-15' });
});

test('a receipt is refused before it is created', async () => {
  const { after, identity, operators, account } = await fixture();
  const receipt = (): Promise<unknown> =>
    createReceipt({ context: after, identity: identity() }, { items: [{ description: 'x', unit_price: 10 }], payment_method: 'cash' });
  expect(await codeOf(receipt())).toBe('service_unavailable');
  await raiseSeries(operators, { series: `series-test.${account}.RCP.2026`, last: 0, confirm: true });
  expect(await receipt()).toMatchObject({ number: expect.stringContaining('000001') });
});

describe('a document that requested its number before the backup', () => {
  /** The service as of before the restore, whose process ends at the append of this event. */
  function endingAt(type: string): DocumentContext {
    const store = {
      ...system.store,
      append: async (...call: Parameters<typeof system.store.append>) => {
        if (call[2].some((event) => event.type === type)) throw new Error('the process is gone');
        return system.store.append(...call);
      },
    };
    return { ...system.context, store, sequence: createSequence({ streams: store, ids: system.ids, clock }) };
  }
  /** A replica on the restored store. */
  const replica = (after: DocumentContext, until: bigint, change: Partial<DocumentContext> = {}): DocumentContext => ({
    ...{ ...after, sequence: createSequence({ streams: system.store, ids: system.ids, clock }), ...change },
    restored: { ...restored, until },
  });
  const actor = { type: 'system', id: 'test' } as const;
  const types = async (stream: string): Promise<string[]> => (await system.store.read(stream)).map(({ type }) => type);
  const verify = 'Look whether the tax authority has the document';

  async function requested() {
    const f = await fixture();
    const id = await f.draft();
    await expect(f.submit(id, endingAt('NumberTaken'))).rejects.toThrow('the process is gone');
    expect(await f.status(id)).toBe('submitting');
    const until = await system.store.head();
    const number = (on: DocumentContext) =>
      invoiceProcess.proceed(on, { account: f.account, env: 'test', id }, { account: f.account, env: 'test', actor });
    return { ...f, id, until, number, stream: `invoice-test.${f.account}.${id}` };
  }

  test('is a draft again, and has a number only when a caller submits it again; opening its series numbers nothing', async () => {
    const f = await requested();
    await f.number(replica(f.after, f.until));
    expect(await f.status(f.id)).toBe('draft');
    const again = replica(f.after, f.until);
    expect(await codeOf(f.submit(f.id, again))).toBe('service_unavailable'); // notes the series
    const closed = () => again.closedSeries.closedOf({ account: f.account, env: 'test' });
    expect(await closed()).toEqual(['INV']);
    await raiseSeries(f.operators, { series: f.series, last: 3, confirm: true });
    expect(await closed()).toEqual([]);
    await f.number(again);
    expect([await f.status(f.id), await types(f.series)]).toEqual(['draft', ['NumberRefused', 'NumbersRaised']]);
    expect(await f.submit(f.id, again)).toBe('INV-2026-000004');
  });

  test('answers a caller who repeats the request that the authority has to be looked at first', async () => {
    const f = await fixture();
    const [id, identity] = [await f.draft(), f.identity()];
    const submit = (context: DocumentContext) => submitInvoice({ context, identity }, { id, ifMatch: undefined, lateReason: null });
    await expect(submit(endingAt('NumberTaken'))).rejects.toThrow('the process is gone');
    const after = replica(f.after, await system.store.head());
    for (const _ of ['first', 'second'])
      await expect(submit(after)).rejects.toMatchObject({
        code: 'validation_error',
        details: { series: [expect.stringContaining(verify)] },
      });
    expect(await f.status(id)).toBe('draft');
  });

  test('has the number that the restored series holds', async () => {
    const f = await fixture();
    const id = await f.draft();
    await expect(f.submit(id, endingAt('InvoiceNumbered'))).rejects.toThrow('the process is gone');
    const after = replica(f.after, await system.store.head());
    await invoiceProcess.proceed(after, { account: f.account, env: 'test', id }, { account: f.account, env: 'test', actor });
    expect(await types(f.series)).toEqual(['NumberTaken']);
    expect((await invoices.read({ context: after, identity: f.identity() }, id)).number).toBe('INV-2026-000001');
  });

  test('is refused once by replicas at once, and after a process that ended between the steps', async () => {
    const f = await requested();
    const ended = { ...endingAt('InvoiceSubmissionRefused'), restored: { ...restored, until: f.until } };
    await expect(f.number(ended)).rejects.toThrow('the process is gone');
    expect([await f.status(f.id), await types(f.series)]).toEqual(['submitting', ['NumberRefused']]);
    await Promise.all([1, 2, 3].map(() => f.number(replica(f.after, f.until))));
    expect([await f.status(f.id), await types(f.series)]).toEqual(['draft', ['NumberRefused']]);
    expect((await types(f.stream)).filter((type) => type === 'InvoiceSubmissionRefused')).toHaveLength(1);
  });

  test('is no receipt', async () => {
    const f = await fixture();
    const identity = f.identity();
    const create = (context: DocumentContext) =>
      createReceipt({ context, identity }, { items: [{ description: 'x', unit_price: 10 }], payment_method: 'cash' });
    await expect(create(endingAt('NumberTaken'))).rejects.toThrow('the process is gone');
    const after = replica(f.after, await system.store.head());
    await expect(create(after)).rejects.toMatchObject({ details: { series: [expect.stringContaining(verify)] } });
    expect(await types(`series-test.${f.account}.RCP.2026`)).toEqual(['NumberRefused']);
  });

  test('is another thing than a request of after the restore', async () => {
    const f = await fixture();
    const before = await system.store.head();
    const id = await f.draft();
    await expect(f.submit(id, endingAt('NumberTaken'))).rejects.toThrow('the process is gone');
    const after = replica(f.after, before, { closedSeries: noClosedSeries });
    await invoiceProcess.proceed(after, { account: f.account, env: 'test', id }, { account: f.account, env: 'test', actor });
    expect((await invoices.read({ context: after, identity: f.identity() }, id)).number).toBe('INV-2026-000001');
  });
});

test('raising changes nothing when the store has the count, and is rejected below it', async () => {
  const f = await fixture();
  await f.submit(await f.draft(), system.context);
  await f.submit(await f.draft(), system.context);
  await codeOf(f.submit(await f.draft()));
  const below = raiseSeries(f.operators, { series: f.series, last: 1, confirm: true });
  await expect(below).rejects.toMatchObject({ code: 'validation_error', details: { last: [expect.stringContaining('2')] } });
  expect(await raiseSeries(f.operators, { series: f.series, last: 2, confirm: true })).toMatchObject({ open: true, last: 2 });
  expect(await system.store.read(f.series)).toHaveLength(2);
  expect(await f.submit(await f.draft())).toBe('INV-2026-000003');
});

test('no issue date before that of the raise is accepted', async () => {
  const f = await fixture();
  await codeOf(f.submit(await f.draft()));
  await raiseSeries(f.operators, { series: f.series, last: 5, issueDate: '2026-06-14', confirm: true });
  const { context } = system;
  const series = {
    account: f.account,
    env: 'test' as const,
    code: 'INV',
    format: '{series}-{year}-{seq:6}',
    start: 1,
    unit: null,
    device: null,
  };
  await expect(beginNumbering(context, { series, issueDate: '2026-06-13', timeZone: 'UTC' })).rejects.toMatchObject({
    details: { issue_date: [expect.stringContaining('2026-06-14')] },
  });
});

test('series of accounts and of years that began after the restore are open', async () => {
  const later = await fixture(prefixed('acct', system.ids.next()));
  expect(await later.submit(await later.draft())).toBe('INV-2026-000001');
  const { account, after } = await fixture();
  const tenant = { account, env: 'test' as const };
  const of = (year: string | null) => after.closedSeries.closed(tenant, { stream: `series-test.${account}.X.${year}`, series: 'X', year });
  expect(await of('2027')).toBeUndefined();
  expect((await of('2026'))?.code).toBe('service_unavailable');
  expect((await of(null))?.code).toBe('service_unavailable');
});

test('the series of an account are noted by its settings, before anybody asks for one', async () => {
  const { account, operators, identity, after } = await fixture();
  for (const unknown of [account, 'acct_typo', '']) expect(await codeOf(noteSeries(operators, unknown, 'test'))).toBe('not_found');
  await updateIssuer(
    { context: after, issuers: system.issuers, identity: identity() },
    { ifMatch: undefined, patch: { legal_name: 'Heron' } },
  );
  const noted = await noteSeries(operators, account, 'test');
  expect(noted.map(({ series }) => series)).toEqual(
    expect.arrayContaining([`series-test.${account}.INV.2025`, `series-test.${account}.INV.2026`]),
  );
  expect(noted.every(({ open }) => !open)).toBe(true);
});

test('a raise that is not confirmed says what it would do, and does nothing', async () => {
  const f = await fixture();
  await f.submit(await f.draft(), system.context);
  await codeOf(f.submit(await f.draft()));
  const plan = await raiseSeries(f.operators, { series: f.series, last: 12, confirm: false });
  expect(plan).toEqual({ series: f.series, open: false, last: 1, last_issue_date: '2026-06-15', skips: 11, next: 13 });
  expect(await codeOf(f.submit(await f.draft()))).toBe('service_unavailable');
});

test('a series without a number and with a start: the plan says what the raise does', async () => {
  const f = await fixture();
  const patch = { legal_name: 'Heron', series: { standard: { code: 'INV', format: '{series}-{year}-{seq:6}', start: 500 } } };
  await updateIssuer({ context: f.after, issuers: system.issuers, identity: f.identity() }, { ifMatch: undefined, patch });
  const id = await f.draft();
  await codeOf(f.submit(id));
  const raise = (last: number, confirm: boolean) => raiseSeries(f.operators, { series: f.series, last, confirm });
  const none = { series: f.series, last: null, last_issue_date: null };
  expect(await raise(510, false)).toEqual({ ...none, open: false, skips: null, next: 511 });
  expect(await raise(0, false)).toEqual({ ...none, open: false, skips: 0, next: null });
  expect(await raise(0, true)).toEqual({ ...none, open: true, skips: 0, next: null });
  expect(await f.submit(id)).toBe('INV-2026-000500');
  const [last, last_issue_date] = [500, '2026-06-15'];
  expect(await raise(500, true)).toEqual({ series: f.series, open: true, last, last_issue_date, skips: 0, next: 501 });
});

test('a raise of a series without a number names the count that its skipped numbers begin behind: its start, or 1 in a year that continues another', async () => {
  const raised = async (f: Awaited<ReturnType<typeof fixture>>, last: number) => {
    await codeOf(f.submit(await f.draft()));
    await raiseSeries(f.operators, { series: f.series, last, confirm: true });
    return (await system.store.read(f.series)).at(-1)?.data;
  };
  const startAt = async (f: Awaited<ReturnType<typeof fixture>>, start: number) => {
    const patch = { legal_name: 'Heron', series: { standard: { code: 'INV', format: '{series}-{year}-{seq:6}', start } } };
    await updateIssuer({ context: f.after, issuers: system.issuers, identity: f.identity() }, { ifMatch: undefined, patch });
  };
  expect(await raised(await fixture(), 40)).toMatchObject({ after: 0, seq: 40 });
  const [begun, below, continued] = [await fixture(), await fixture(), await fixture()];
  for (const f of [begun, below, continued]) await startAt(f, 500);
  expect(await raised(begun, 510)).toMatchObject({ after: 499, seq: 510 });
  expect(await raised(below, 7)).toMatchObject({ after: 0, seq: 7 });
  const { account } = continued;
  const number = {
    document: 'inv_1',
    seq: 500,
    number: 'INV-2025-000500',
    issued_at: '2025-12-31T12:00:00.000Z',
    issue_date: '2025-12-31',
  };
  await system.store.append(`series-test.${account}.INV.2025`, 'none', [
    {
      id: system.ids.next(),
      type: 'NumberTaken',
      data: number,
      metadata: { v: 1, account, env: 'test', actor: { type: 'system', id: 'test' } },
    },
  ]);
  expect(await raised(continued, 510)).toMatchObject({ after: 0, seq: 510 });
});

test('an issue date that would not be stored is rejected', async () => {
  const f = await fixture();
  await codeOf(f.submit(await f.draft()));
  const raise = (last: number, issueDate: string, confirm = true) =>
    raiseSeries(f.operators, { series: f.series, last, issueDate, confirm });
  for (const confirm of [false, true])
    await expect(raise(0, '2026-06-14', confirm)).rejects.toMatchObject({
      details: { issue_date: [expect.stringContaining('Leave it out')] },
    });
  expect(await raise(5, '2026-06-13')).toMatchObject({ last: 5, last_issue_date: '2026-06-13', next: 6 });
  await expect(raise(5, '2026-06-14')).rejects.toMatchObject({ details: { issue_date: [expect.stringContaining('2026-06-13')] } });
  expect(await raise(5, '2026-06-13')).toMatchObject({ skips: 0, next: 6 });
});

test.each([
  ['in the future', '2026-06-16'],
  ['of another year', '2025-12-31'],
  ['before the last one in the store', '2026-06-14'],
])('a raise with an issue date %s is rejected', async (_, issueDate) => {
  const f = await fixture();
  await f.submit(await f.draft(), system.context);
  await codeOf(f.submit(await f.draft()));
  const raise = raiseSeries(f.operators, { series: f.series, last: 5, issueDate, confirm: true });
  await expect(raise).rejects.toMatchObject({ details: { issue_date: [expect.any(String)] } });
});

test('operators who raise a series at once leave it behind the highest count', async () => {
  const f = await fixture();
  await codeOf(f.submit(await f.draft()));
  await Promise.allSettled([9, 4, 7].map((last) => raiseSeries(f.operators, { series: f.series, last, confirm: true })));
  expect(await f.submit(await f.draft())).toBe('INV-2026-000010');
});

test('a second restore closes a series that was raised after the first', async () => {
  const f = await fixture();
  await codeOf(f.submit(await f.draft()));
  await raiseSeries(f.operators, { series: f.series, last: 2, confirm: true });
  const second = { at: iso(RESTORED + 1_800_000), until: 0n };
  const again: DocumentContext = { ...system.context, closedSeries: closedSeries(second, rows) };
  expect(await codeOf(f.submit(await f.draft(), again))).toBe('service_unavailable');
  expect(await listSeries({ ...f.operators, restored: second }, false)).toEqual([expect.objectContaining({ series: f.series, last: 2 })]);
});

test('a series that was not noted, and a system that was not restored, are errors that say so', async () => {
  const { operators } = await fixture();
  expect(await codeOf(raiseSeries(operators, { series: 'series-test.acct_x.INV.2026', last: 1, confirm: true }))).toBe('not_found');
  expect(await codeOf(raiseSeries({ ...operators, restored: undefined }, { series: 'x', last: 1, confirm: true }))).toBe('invalid_state');
});
