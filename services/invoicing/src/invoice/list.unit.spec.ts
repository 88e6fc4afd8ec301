import { rowAfterAll } from '@svc/event-store/testing/row-after';
import { UnknownEvent } from '@svc/kernel';
import { account, at, customerId, eventsOf, id, recordedOn, ways, type CommandName } from './domain/testing/samples.ts';
import { documentFilter } from '../document/list.ts';
import { evolve } from './domain/evolve.ts';
import { invoicesProjection } from './invoices.ts';
import { invoiceResource } from './resource.ts';

type InvoiceRow = NonNullable<ReturnType<typeof invoicesProjection.row>>;

const recorded = recordedOn(`invoice-test.${account}.${id}`);
const rowAfter = (names: readonly CommandName[]): InvoiceRow => rowAfterAll(invoicesProjection, eventsOf(names).map(recorded))!;

test('a draft is found by all its fields', () => {
  expect(rowAfter([])).toMatchObject({
    _id: id,
    version: 1,
    account,
    env: 'test',
    created_at: at,
    status: 'draft',
    type: 'standard',
    customer_id: customerId,
    number: null,
    number_key: null,
    currency: 'EUR',
    series: 'INV',
    payment_status: null,
    fiscal_status: null,
    corrects: null,
    issue_date: null,
    due_date: null,
    total: 120,
  });
});

test('a list shows the resource that a read shows', () => {
  const { resource } = rowAfterAll(invoicesProjection, eventsOf(ways.submitted).map(recorded))!;
  const { state, last } = { state: eventsOf(ways.submitted).reduce(evolve, null), last: eventsOf(ways.submitted).length };
  expect(JSON.parse(resource)).toEqual(JSON.parse(JSON.stringify(invoiceResource(state!, last))));
});

test.each([
  [['PATCH notes'], { status: 'draft', version: 2 }],
  [['submit'], { status: 'submitting', number: null, issue_date: null }],
  [['submit', 'refuse number'], { status: 'draft', version: 3 }],
  [ways.submitting, { status: 'submitting', number: 'INV-2026-000001', issue_date: '2026-01-16', fiscal_status: 'pending' }],
  [ways['submitting, unknown'], { status: 'submitting', version: 4, fiscal_status: 'unknown' }],
  [ways.submitted, { status: 'submitted', payment_status: 'unpaid', fiscal_status: 'registered' }],
  [ways.paid, { status: 'submitted', payment_status: 'partial' }],
  [ways.reversed, { payment_status: 'unpaid' }],
  [ways.failed, { status: 'failed', number: 'INV-2026-000001', payment_status: null, fiscal_status: 'rejected' }],
  [ways['submitting again'], { status: 'submitting', number: 'INV-2026-000001' }],
  [ways.voiding, { status: 'voiding' }],
  [ways['void refused'], { status: 'submitted' }],
  [ways.voided, { status: 'voided', number: 'INV-2026-000001', payment_status: null }],
  [ways['voided draft'], { status: 'voided', number: null }],
] as [CommandName[], Partial<InvoiceRow>][])('after %j', (names, row) => expect(rowAfter(names)).toMatchObject(row));

test('every field of a filter or an order is part of an index', () => {
  const indexed = new Set(invoicesProjection.indexes.flatMap(({ fields }) => fields));
  const query = {
    status: ['draft'],
    type: ['standard'],
    customer_id: ['c', 'd', 'c'],
    number: ['n'],
    currency: ['EUR'],
    series: ['S'],
    payment_status: ['paid'],
    fiscal_status: ['registered'],
    corrects: ['i'],
  };
  const dates = {
    created_from: '2026-01-01',
    created_to: '2026-01-02T00:00:00Z',
    issue_from: '2026-01-01',
    issue_to: '2026-01-31',
    due_to: '2026-02-28',
    fiscal_deadline_to: '2026-02-03',
  };
  const filter = documentFilter({ ...query, ...dates }, 'UTC');
  expect(filter).toMatchObject({
    status: 'draft',
    customer_id: { $in: ['c', 'd'] },
    issue_date: { $gte: '2026-01-01', $lte: '2026-01-31' },
    due_date: { $lte: '2026-02-28' },
    fiscal_deadline: { $lt: '2026-02-04T00:00:00.000Z' },
    created_at: { $gte: '2026-01-01T00:00:00.000Z' },
  });
  for (const field of [...Object.keys(filter), 'total']) expect(indexed).toContain(field);
  expect(documentFilter({}, 'UTC')).toEqual({});
});

test('throws for an event of a later release', () => {
  expect(() => invoicesProjection.evolve(null, recorded({ type: 'InvoiceBlessed', data: { at } }, 0))).toThrow(UnknownEvent);
});
