import { createSequence } from '@svc/event-store';
import { type DomainError, FakeClock, iso, prefixed } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { createCustomer } from '../customer/write.ts';
import { updateIssuer } from '../issuer/update.ts';
import { createInvoice } from '../invoice/create.ts';
import { invoices } from '../invoice/invoices.ts';
import { submitInvoice } from '../invoice/submit.ts';
import { createReceipt } from '../receipt/create.ts';
import { beginNumbering } from '../series/take-number.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { closedSeries, seriesRowIndexes, type SeriesRow } from './closed-series.ts';
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
  const after: InvoicingContext = { ...context, closedSeries: closedSeries(restored, rows) };
  const operators: SeriesContext = { ...after, rows, restored };
  const identity = () => callerOf(system, account);
  const { id: customer_id } = await createCustomer({ context, customers: system.customers, identity: identity() }, { name: 'Blue Heron' });
  const draft = () =>
    createInvoice({ context, identity: identity() }, { customer_id, items: [{ description: 'x', unit_price: 10 }] }).then(({ id }) => id);
  const submit = (id: string, on: InvoicingContext = after) =>
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

test('an invoice that requested its number before the backup waits, and has it after the raise', async () => {
  const f = await fixture();
  const id = await f.draft();
  const store = {
    ...system.store,
    append: async (...call: Parameters<typeof system.store.append>) => {
      if (call[0].startsWith('series-')) throw new Error('the process is gone');
      return system.store.append(...call);
    },
  };
  await expect(
    f.submit(id, { ...system.context, store, sequence: createSequence({ streams: store, ids: system.ids, clock }) }),
  ).rejects.toThrow('the process is gone');
  const number = () =>
    invoices.number(
      f.after,
      { account: f.account, env: 'test', id },
      { account: f.account, env: 'test', actor: { type: 'system', id: 'test' } },
    );
  expect(await codeOf(number())).toBe('service_unavailable');
  expect(await f.status(id)).toBe('submitting');
  await raiseSeries(f.operators, { series: f.series, last: 3, confirm: true });
  await number();
  expect((await invoices.read({ context: f.after, identity: f.identity() }, id)).number).toBe('INV-2026-000004');
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
  expect(await codeOf(noteSeries(operators, account, 'test'))).toBe('not_found');
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
  const again: InvoicingContext = { ...system.context, closedSeries: closedSeries(second, rows) };
  expect(await codeOf(f.submit(await f.draft(), again))).toBe('service_unavailable');
  expect(await listSeries({ ...f.operators, restored: second }, false)).toEqual([expect.objectContaining({ series: f.series, last: 2 })]);
});

test('a series that was not noted, and a system that was not restored, are errors that say so', async () => {
  const { operators } = await fixture();
  expect(await codeOf(raiseSeries(operators, { series: 'series-test.acct_x.INV.2026', last: 1, confirm: true }))).toBe('not_found');
  expect(await codeOf(raiseSeries({ ...operators, restored: undefined }, { series: 'x', last: 1, confirm: true }))).toBe('invalid_state');
});
