// Reports over a year of one account, on the embedded engine, beside the same sums by plain SQL in one SQLite table. BENCH_DOCUMENTS=100000 for a quick run.
import 'reflect-metadata';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { nextTurn, systemClock as clock } from '@svc/kernel';
import { openLedger } from '@svc/reporting/postings/ledger';
import { markBlocks } from '@svc/reporting/postings/mark-blocks';
import { csvPieces } from '@svc/reporting/reports/files/csv-file';
import { linesOf } from '@svc/reporting/reports/files/lines';
import { reportNamed, views } from '@svc/reporting/reports/served';
import { countedFold } from '@svc/reporting/reports/summed/counted';
import { issuedFold } from '@svc/reporting/reports/summed/issued';
import { sumBlock } from '@svc/reporting/sums/sum-block';
import { aim, median, none, shown } from './load.mjs';
import { ACCOUNT, openTable, seedDocuments } from './reports-seed.mjs';

const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const ROUNDS = 7;
const AT_ONCE = 500;
const seconds = (since) => (performance.now() - since) / 1000;

const year = { from: '2026-01-01', to: '2026-12-31', as_of: '2026-12-31' };
const month = { ...year, from: '2026-10-01', to: '2026-10-31' };
const cases = [
  { name: 'sales of a month', report: 'sales', asked: month, goalMs: 150 },
  { name: 'tax of a month', report: 'tax', asked: month, goalMs: 150 },
  { name: 'customers of a month', report: 'customers', asked: month, goalMs: 150 },
  { name: 'sales of a year by month', report: 'sales', asked: { ...year, grouping: 'month' }, goalMs: 1_500 },
  { name: 'sales of a year by customer', report: 'sales', asked: { ...year, grouping: 'customer' }, goalMs: 1_500 },
  { name: 'customers of a year', report: 'customers', asked: year, goalMs: 1_500 },
  ...['2026-12-31', '2026-09-15', '2026-03-10'].map((as_of) => ({
    ...{ name: `receivables as of ${as_of}`, report: 'receivables', asked: { ...month, as_of }, goalMs: 1_500 },
  })),
];

const byDay = `SELECT day AS key, currency, sum(counts), sum(net), sum(tax) FROM changes
  WHERE account = ? AND env = ? AND day BETWEEN ? AND ? AND counts <> 0 GROUP BY 1, 2 ORDER BY 1, 2`;
const lateness = `julianday(?3) - julianday(due_on)`;
const sql = {
  sales: ({ grouping }) =>
    grouping === 'month'
      ? byDay.replace('day AS', 'substr(day, 1, 7) AS')
      : grouping === 'customer'
        ? byDay.replace('day AS', 'customer AS')
        : byDay,
  tax: () => byDay.replace('day AS', "'VAT' AS"),
  customers: () => byDay.replace('day AS', 'customer AS'),
  receivables:
    () => `SELECT customer, currency, sum(CASE WHEN ${lateness} <= 0 THEN due ELSE 0 END), sum(CASE WHEN ${lateness} BETWEEN 1 AND 30 THEN due ELSE 0 END),
    sum(CASE WHEN ${lateness} BETWEEN 31 AND 60 THEN due ELSE 0 END), sum(CASE WHEN ${lateness} BETWEEN 61 AND 90 THEN due ELSE 0 END),
    sum(CASE WHEN ${lateness} > 90 THEN due ELSE 0 END), sum(due) AS total FROM changes WHERE account = ?1 AND env = ?2 AND day <= ?3 AND due <> 0 GROUP BY 1, 2 HAVING total <> 0`,
};

async function fill(folder) {
  const engine = Engine.open(folder);
  const ledger = openLedger(embeddedDocumentStore(engine, 'svc_reporting'));
  const db = new DatabaseSync(join(folder, 'table.sqlite'));
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; BEGIN');
  const table = openTable(db);
  let batch = [];
  const write = async () => {
    await ledger.postings.write(batch.map((insert) => ({ insert })));
    await markBlocks({ ...ledger, clock }, batch);
    batch = [];
  };
  for (const postings of seedDocuments(DOCUMENTS)) {
    table.add(postings);
    batch.push(...postings);
    if (batch.length >= AT_ONCE) await write();
  }
  await write();
  table.end();
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { engine, ledger };
}

/** As the service does it, without its rest. */
async function sumAll(ledger) {
  const folds = { counted_on: countedFold(views), issued_on: issuedFold(ledger.postings) };
  for (;;) {
    const due = await Array.fromAsync(ledger.blocks.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 }, limit: AT_ONCE }));
    if (due.length === 0) return;
    for (const block of due) await sumBlock({ ...ledger, clock, folds }, block, () => nextTurn(block.account));
  }
}

/** Milliseconds of a report, and the longest time that it held up other work of the process. */
async function timed(ledger, { report, asked }, more) {
  let over = false;
  let held = 0;
  const others = (async () => {
    for (let last = performance.now(); !over; last = performance.now()) {
      await setImmediate();
      held = Math.max(held, performance.now() - last);
    }
  })();
  const began = performance.now();
  const question = { ...ACCOUNT, known_at: null, kind: 'all', currency: undefined, grouping: undefined, cites: false, ...asked, ...more };
  const { rows, totals } = await reportNamed(report).run({ ...question, ledger, turn: () => nextTurn(ACCOUNT.account) });
  const ms = performance.now() - began;
  over = true;
  await others;
  return { ms, held, rows: rows.length, answer: JSON.stringify([rows.map((row) => row.fields()), totals]) };
}

function timedSql(db, { report, asked }) {
  const values = report === 'receivables' ? [asked.as_of] : [asked.from, asked.to];
  const began = performance.now();
  const rows = db.prepare(sql[report](asked)).all(ACCOUNT.account, ACCOUNT.env, ...values);
  return { ms: performance.now() - began, rows: rows.length };
}

/** A file of the documents of a year by customer, read piece by piece, and what the process grows by meanwhile. */
async function fileRows(ledger) {
  const question = {
    ...ACCOUNT,
    known_at: '9999-12-31T00:00:00.000Z',
    kind: 'all',
    currency: undefined,
    grouping: 'customer',
    cites: true,
    ...year,
  };
  const reading = { ...question, ledger, turn: () => nextTurn(ACCOUNT.account) };
  const before = process.memoryUsage.rss();
  const began = performance.now();
  let [most, bytes] = [before, 0];
  const { columns, lines } = await linesOf(reportNamed('sales'), reading);
  for await (const piece of csvPieces(columns, lines)) {
    bytes += piece.length;
    most = Math.max(most, process.memoryUsage.rss());
  }
  return [
    aim('file of cited documents: grows the process by, MiB', (most - before) / 2 ** 20, 64),
    shown('… MiB', bytes / 2 ** 20, { seconds: seconds(began) }),
  ];
}

export async function run() {
  const folder = join(tmpdir(), `svc-bench-reports-${process.pid}`);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  mkdirSync(folder);
  let since = performance.now();
  const { engine, ledger } = await fill(folder);
  const rows = [shown(`${DOCUMENTS} documents: stored, s`, seconds(since))];
  since = performance.now();
  await sumAll(ledger);
  rows.push(shown('… summed, s', seconds(since), { rows: await ledger.blocks.count({}) }));
  const db = new DatabaseSync(join(folder, 'table.sqlite'));
  let wrong = 0;
  for (const one of cases) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ours: await timed(ledger, one), sql: timedSql(db, one) });
    const [ours, theirs] = ['ours', 'sql'].map((kind) => median(rounds.map((round) => round[kind].ms)));
    const heldMs = median(rounds.map(({ ours: { held } }) => held));
    rows.push({
      ...aim(`${one.name}, p50, ms`, ours, one.goalMs),
      sqlMs: theirs,
      ratio: ours / theirs,
      heldMs,
      rows: rounds[0].ours.rows,
      sqlRows: rounds[0].sql.rows,
    });
    rows.push(aim(`… holds others up, ms`, heldMs, 50));
    if (process.env.BENCH_PLAIN) {
      const plain = await timed(ledger, one, { known_at: '9999-12-31T00:00:00.000Z' });
      rows.push(shown(`… posting by posting, ms`, plain.ms));
      if (plain.answer !== rounds[0].ours.answer) wrong += 1;
    }
  }
  if (process.env.BENCH_PLAIN) rows.push(none('reports that differ from the postings', wrong));
  rows.push(...(await fileRows(ledger)));
  db.close();
  engine.close();
  rmSync(folder, { recursive: true });
  return rows;
}
