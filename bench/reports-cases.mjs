// The reports that `bench reports` asks for, and the same sums by plain SQL.
const year = { from: '2026-01-01', to: '2026-12-31', as_of: '2026-12-31' };
const month = { ...year, from: '2026-10-01', to: '2026-10-31' };
const [MONTH_MS, YEAR_MS] = [150, 1_500];

const of = (name, report, grouping, more = {}) => [
  { name: `${name} of a month`, report, asked: { ...month, grouping, ...more }, goalMs: MONTH_MS },
  { name: `${name} of a year`, report, asked: { ...year, grouping, ...more }, goalMs: YEAR_MS },
];

export const cases = [
  ...of('sales by day', 'sales', 'day'),
  ...of('sales by month', 'sales', 'month'),
  ...of('sales by customer', 'sales', 'customer'),
  ...of('sales by customer, invoices', 'sales', 'customer', { kind: 'invoices' }),
  ...of('sales by product', 'sales', 'product'),
  ...of('tax', 'tax'),
  ...of('tax by customer', 'tax', 'customer'),
  ...of('customers', 'customers'),
  ...of('products', 'products'),
  ...of('submissions by day', 'submissions', 'day'),
  ...of('submissions by authority', 'submissions', 'authority'),
  ...of('numbering', 'numbering'),
  ...['2026-12-31', '2026-09-15', '2026-03-10'].map((as_of) => ({
    ...{ name: `receivables as of ${as_of}`, report: 'receivables', asked: { ...month, as_of }, goalMs: YEAR_MS },
  })),
];

const counted = (key) => `SELECT ${key} AS key, currency, sum(counts), sum(net), sum(tax) FROM changes
  WHERE account = ? AND env = ? AND day BETWEEN ? AND ? AND counts <> 0 GROUP BY 1, 2 ORDER BY 1, 2`;
const numbered = (select, rest) =>
  `SELECT ${select} FROM changes WHERE account = ? AND env = ? AND day BETWEEN ? AND ? AND counts = 1 ${rest}`;
const lateness = `julianday(?3) - julianday(due_on)`;
const sql = {
  sales: ({ grouping, kind }) => {
    const text = counted({ month: 'substr(day, 1, 7)', customer: 'customer', product: 'product' }[grouping] ?? 'day');
    return kind === 'invoices' ? text.replace('counts <> 0', `counts <> 0 AND kind = 'invoice'`) : text;
  },
  tax: ({ grouping }) => counted(grouping === 'customer' ? 'customer' : `'VAT'`),
  customers: () => counted('customer'),
  products: () => counted('product'),
  submissions: ({ grouping }) => numbered(`${grouping === 'day' ? 'day' : `'sandbox'`} AS key, count(*)`, 'GROUP BY 1 ORDER BY 1'),
  numbering: () => numbered('seq, number, document', 'ORDER BY seq'),
  receivables:
    () => `SELECT customer, currency, sum(CASE WHEN ${lateness} <= 0 THEN due ELSE 0 END), sum(CASE WHEN ${lateness} BETWEEN 1 AND 30 THEN due ELSE 0 END),
    sum(CASE WHEN ${lateness} BETWEEN 31 AND 60 THEN due ELSE 0 END), sum(CASE WHEN ${lateness} BETWEEN 61 AND 90 THEN due ELSE 0 END),
    sum(CASE WHEN ${lateness} > 90 THEN due ELSE 0 END), sum(due) AS total FROM changes WHERE account = ?1 AND env = ?2 AND day <= ?3 AND due <> 0 GROUP BY 1, 2 HAVING total <> 0`,
};

/** Milliseconds, and those that this thread has run: on a busy machine the time of its processor is what a report costs. */
export function clocks() {
  const { user, system } = process.threadCpuUsage();
  return { ms: performance.now(), cpu: (user + system) / 1_000 };
}

/** Milliseconds of the same by SQL. */
export function timedSql(db, { account, env }, { report, asked }) {
  const values = report === 'receivables' ? [asked.as_of] : [asked.from, asked.to];
  const began = clocks();
  let rows = 0;
  for (const _ of db.prepare(sql[report](asked)).iterate(account, env, ...values)) rows += 1;
  const ended = clocks();
  return { ms: ended.ms - began.ms, cpu: ended.cpu - began.cpu, rows };
}
