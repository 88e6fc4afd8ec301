import { rowAfterAll } from '@svc/event-store/testing/row-after';
import { account, recordedOn } from '../invoice/domain/testing/samples.ts';
import { receiptEventVersions } from './domain/events.ts';
import { at, eventsOf, id, ways, type CommandName } from './domain/testing/samples.ts';
import { documentFilter } from '../document/list.ts';
import { receiptsProjection } from './receipts.ts';

type ReceiptRow = NonNullable<ReturnType<typeof receiptsProjection.row>>;

const recorded = recordedOn(`receipt-test.${account}.${id}`, receiptEventVersions);
const rowAfter = (names: readonly CommandName[]): ReceiptRow | undefined => rowAfterAll(receiptsProjection, eventsOf(names).map(recorded));

test('a receipt without a number is in no list', () => expect(rowAfter([])).toBeUndefined());

test('a numbered receipt is found by all its fields', () => {
  expect(rowAfter(ways.issued)).toMatchObject({
    _id: id,
    account,
    env: 'test',
    created_at: at,
    status: 'issued',
    customer_id: null,
    number: 'RCP-2026-000001',
    currency: 'EUR',
    series: 'RCP',
    issue_date: '2026-01-16',
    total: 12,
  });
});

test.each([
  [ways.registered, { status: 'issued', version: 3 }],
  [ways['rejected for setup'], { status: 'issued' }],
  [ways['issued again'], { status: 'issued', version: 4 }],
  [ways['void requested'], { status: 'voiding' }],
  [ways['void refused'], { status: 'issued' }],
  [ways.voided, { status: 'voided', number: 'RCP-2026-000001' }],
] as [CommandName[], Partial<ReceiptRow>][])('after %j', (names, row) => expect(rowAfter(names)).toMatchObject(row));

test('every field of a filter or an order is part of an index', () => {
  const indexed = new Set(receiptsProjection.indexes.flatMap(({ fields }) => fields));
  const query = {
    status: ['issued'],
    type: ['receipt'],
    customer_id: ['c'],
    number: ['n'],
    currency: ['EUR'],
    series: ['S'],
    corrects: ['i'],
  };
  const filter = documentFilter({ ...query, created_from: '2026-01-01', issue_to: '2026-01-31', fiscal_deadline_to: '2026-02-01' }, 'UTC');
  for (const field of [...Object.keys(filter), 'total']) expect(indexed).toContain(field);
  expect(Object.keys(filter)).toHaveLength(10);
});
