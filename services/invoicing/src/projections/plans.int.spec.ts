import { Engine } from '@svc/embedded';
import { embeddedDocumentStore, type Collection, type Filter, type Sort } from '@svc/document-store';
import { reporting, type Visited } from '@svc/document-store/testing/visited';
import type { Projection, Row } from '@svc/event-store';
import { createMatches } from '@svc/event-store/projection/matches';
import { soon } from '@svc/kernel';
import { listProjection } from '@svc/service';
import { wholeOf } from '@svc/service/lists/testing/whole';
import { customerFilter, customersProjection } from '../customer/list.ts';
import { documentFilter, documentOrders } from '../document/list.ts';
import { invoicesProjection } from '../invoice/invoices.ts';
import { productFilter, productsProjection } from '../product/list.ts';
import { dataFolder } from '../testing/open-system.ts';
import { ordersByName } from './by-name.ts';

/** More rows than a statement of a request may visit or sort. */
const MANY = 21_000;
const [MOST, MOST_SORTED] = [20_000, 5_000];
const tenant = { account: 'acct_1', env: 'test' } as const;

const folder = dataFolder();
const engine = Engine.open(folder.path, { durable: false });
const seen: Visited[] = [];
const documents = embeddedDocumentStore(
  reporting(engine, (visited) => seen.push(visited)),
  'svc_test',
);
afterAll(() => {
  engine.close();
  folder.remove();
});

const padded = (n: number): string => String(n).padStart(6, '0');
const among = <T>(n: number, ...values: T[]): T => values[Math.floor(n / 7) % values.length] as T;

const documentRow = (n: number): object => ({
  ...{
    status: among(n, 'submitted', 'submitted', 'submitted', 'draft'),
    type: 'standard',
    customer_id: among(n, 'cust_a', 'cust_b', 'cust_c'),
  },
  ...{ number: n % 4 === 0 ? null : `INV-${padded(n)}`, number_key: n % 4 === 0 ? null : `INV 2026 ${padded(n)}` },
  ...{ corrects: null, issue_date: n % 4 === 0 ? null : `2026-0${1 + (n % 9)}-01`, currency: among(n, 'EUR', 'EUR', 'USD'), series: 'INV' },
  ...{ total: (n * 7_919) % 1_000, payment_status: among(n, 'paid', 'unpaid', 'partial', null) },
  ...{ fiscal_status: n % 4 === 0 ? null : among(n, 'registered', 'rejected'), due_date: n % 3 === 0 ? null : `2026-0${1 + (n % 9)}-15` },
});
const catalogRow = (n: number): object => ({
  ...{ deleted: n % 10 === 0, active: n % 3 === 0, name_key: `a${(n * 7_919) % 10_007} name`, sku: `S-${n}` },
  ...{ email: n % 2 === 0 ? 'one@shop.example' : `${n}@shop.example`, tax_id: `X${n}` },
});

interface Lists<R extends Row> {
  projection: Projection<R>;
  fields(n: number): object;
  filters: Filter[];
  orders: Record<string, Sort>;
}
const documentFilters = [
  {},
  { status: ['submitted'] },
  { status: ['draft'], currency: ['USD'] },
  { status: ['draft', 'submitted'], currency: ['USD', 'EUR'] },
  { customer_id: ['cust_a'] },
  { customer_id: ['cust_b'], status: ['submitted'] },
  { customer_id: ['cust_a', 'cust_b', 'cust_x'] },
  { customer_id: ['cust_a', 'cust_c'], status: ['submitted', 'draft'], payment_status: ['paid', 'unpaid'] },
  { created_from: '2026-01-01T00:00:00Z', issue_to: '2026-05-01' },
  { fiscal_status: ['registered', 'rejected'], due_from: '2026-02-01', due_to: '2026-07-15' },
  { due_to: '2026-07-15', status: ['submitted'] },
  { number: ['INV-000007'] },
  { number: ['INV-000007', 'INV-000009,', 'INV-000010'] },
].map((query) => documentFilter(query, 'UTC'));
/** What `q` finds. */
const searched = (deleted?: boolean): Filter => ({
  _id: { $in: Array.from({ length: 10_000 }, (_, n) => `row_${padded(2 * n)}`) },
  ...(deleted === undefined ? {} : { deleted }),
});
const lists: Lists<never>[] = [
  { projection: invoicesProjection as never, fields: documentRow, filters: [...documentFilters, searched()], orders: documentOrders },
  {
    projection: customersProjection as never,
    fields: catalogRow,
    filters: [
      {},
      { deleted: 'all' },
      { email: ['one@shop.example'] },
      { email: ['one@shop.example', '1@shop.example', '3@shop.example'] },
      { tax_id: ['X7'] },
      { tax_id: ['X7', 'X8'], deleted: 'all' },
    ]
      .map((query) => customerFilter(query as never))
      .concat(searched(false)),
    orders: ordersByName,
  },
  {
    projection: productsProjection as never,
    fields: catalogRow,
    filters: [{}, { active: true }, { active: false }, { sku: ['S-7'] }, { sku: ['S-7', 'S-8'] }].map(productFilter),
    orders: ordersByName,
  },
];

describe.each(lists.map((list) => [(list.projection as Projection<Row>).name, list] as const))('a page of %s', (name, list) => {
  const { filters, orders, fields } = list;
  const projection = list.projection as unknown as Projection<Row>;
  const indexes = projection.ordinals
    ? [...projection.indexes, { fields: ['account', 'env', 'ordinal'], unique: true }]
    : projection.indexes;
  let rows: Collection<Row>;
  beforeAll(async () => {
    rows = documents.collection<Row>(name, { indexes, texts: ['resource'] });
    const made = Array.from({ length: MANY }, (_, n) => ({
      ...{ _id: `row_${padded(n)}`, version: 1, ...tenant, created_at: `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T00:00:00.000Z` },
      ...{ resource: `{"n":${n}}`, ...fields(n), ...(projection.ordinals ? { ordinal: n + 1 } : {}) },
    }));
    await rows.write(made.map((insert) => ({ insert: insert as Row })));
  });

  const page = async (filter: Filter, sort: string, number: number) => {
    const changes = { size: 10_000, now: () => undefined, since: () => undefined };
    const running = { projection, rows, asOf: async () => undefined, matches: createMatches(rows, changes) };
    const request = { identity: tenant as never, query: { page: number, per_page: 20, sort }, url: '/v1/x', turn: soon };
    return wholeOf<{ n: number }>(await listProjection({ running, publicUrl: 'https://x', request, filter, orders }));
  };

  test.each([...new Set([...Object.keys(orders), 'created_at', '-created_at'])])(
    'by %s visits and sorts few entries with a statement, whatever the filter',
    async (sort) => {
      for (const filter of filters) {
        const { meta } = await page(filter, sort, 1);
        for (const number of [Math.ceil(meta.last_page / 2), meta.last_page]) {
          seen.length = 0;
          const { data } = await page(filter, sort, number);
          expect(data).toHaveLength(number === meta.last_page ? ((meta.total - 1) % 20) + 1 : 20);
          expect(seen.filter(({ entries }) => entries > MOST)).toEqual([]);
          expect(seen.filter(({ sorts, entries }) => entries > MOST_SORTED && sorts())).toEqual([]);
        }
      }
    },
  );
});
