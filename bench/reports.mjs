// Reports over a year of one account, on the embedded engine, beside the same sums by plain SQL in one SQLite table. BENCH_DOCUMENTS=100000 for a quick run, BENCH_CUSTOMERS=1000000 for as many customers as documents, BENCH_REPORTS=numbering,customers for these alone, without files.
import 'reflect-metadata';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { nextTurn, systemClock as clock } from '@svc/kernel';
import { blockIndexes } from '@svc/reporting/postings/block';
import { openLedger } from '@svc/reporting/postings/ledger';
import { markBlocks } from '@svc/reporting/postings/block';
import { reportNamed, views } from '@svc/reporting/reports/served';
import { countedFold } from '@svc/reporting/reports/summed/counted';
import { issuedFold } from '@svc/reporting/reports/summed/issued';
import { sumBlock } from '@svc/reporting/sums/sum-block';
import { aim, median, none, shown } from './load.mjs';
import { fileRows } from './reports-files.mjs';
import { cases, clocks, timedSql } from './reports-cases.mjs';
import { ACCOUNT, openTable, seedDocuments } from './reports-seed.mjs';

const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const ROUNDS = 5;
const AT_ONCE = 500;
const PAGE = { skip: 0, limit: 100 };
const seconds = (since) => (performance.now() - since) / 1000;

async function fill(folder) {
  const engine = Engine.open(folder);
  const documents = embeddedDocumentStore(engine, 'svc_reporting');
  const ledger = openLedger(documents);
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
  const unsummed = { ...ledger, blocks: documents.collection('no_blocks_v1', { indexes: blockIndexes }) };
  return { engine, ledger, unsummed };
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

/** Milliseconds of a page of a report, and the longest time that it held up other work of the process; `cpu`: of these, those that this thread ran. */
async function timed(ledger, { report, asked }) {
  let over = false;
  const held = { ms: 0, cpu: 0 };
  const others = (async () => {
    for (let last = clocks(); !over; last = clocks()) {
      await setImmediate();
      const now = clocks();
      held.ms = Math.max(held.ms, now.ms - last.ms);
      held.cpu = Math.max(held.cpu, now.cpu - last.cpu);
    }
  })();
  const began = clocks();
  const question = { ...ACCOUNT, known_at: null, kind: 'all', currency: undefined, grouping: undefined, cites: false, ...asked };
  const reading = { ...question, page: PAGE, ledger, turn: () => nextTurn(ACCOUNT.account) };
  const { rows, total, totals, certificate } = await reportNamed(report).run(reading).catch(refused);
  const ended = clocks();
  over = true;
  await others;
  return {
    ms: ended.ms - began.ms,
    cpu: ended.cpu - began.cpu,
    held,
    rows: total,
    answer: JSON.stringify([rows.map((row) => row.fields()), total, totals, certificate]),
  };
}

/** A report of more rows than a response may have takes its time, too. */
function refused(error) {
  if (error.code !== 'invalid_request') throw error;
  return { rows: [], total: 'too many', totals: [] };
}

/** A row for its time and one for what it holds up. */
async function measured({ ledger, unsummed, db }, one) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ours: await timed(ledger, one), sql: timedSql(db, ACCOUNT, one) });
  const of = (figure) => median(rounds.map(figure));
  const [ours, theirs] = ['ours', 'sql'].map((kind) => of((round) => round[kind].ms));
  const [cpuMs, sqlCpuMs] = ['ours', 'sql'].map((kind) => of((round) => round[kind].cpu));
  const heldMs = of(({ ours: { held } }) => held.ms);
  const heldCpuMs = of(({ ours: { held } }) => held.cpu);
  const [first] = rounds;
  const more = {
    sqlMs: theirs,
    ratio: ours / theirs,
    cpuMs,
    sqlCpuMs,
    cpuRatio: cpuMs / sqlCpuMs,
    heldMs,
    heldCpuMs,
    rows: first.ours.rows,
    sqlRows: first.sql.rows,
  };
  const rows = [{ ...aim(`${one.name}, p50, ms`, ours, one.goalMs), ...more }, aim(`… holds others up, ms`, heldMs, 50)];
  if (!process.env.BENCH_PLAIN) return rows;
  const plain = await timed(unsummed, one);
  return [
    ...rows,
    shown(`… posting by posting, ms`, plain.ms),
    none('… differs from the postings', Number(plain.answer !== first.ours.answer)),
  ];
}

export async function run() {
  const folder = join(tmpdir(), `svc-bench-reports-${process.pid}`);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  mkdirSync(folder);
  let since = performance.now();
  const { engine, ledger, unsummed } = await fill(folder);
  const rows = [shown(`${DOCUMENTS} documents: stored, s`, seconds(since))];
  since = performance.now();
  await sumAll(ledger);
  rows.push(shown('… summed, s', seconds(since), { rows: await ledger.blocks.count({}) }));
  const { bytes } = await ledger.sums.size();
  rows.push(shown('… sums, MiB', bytes / 2 ** 20), shown('… postings, MiB', (await ledger.postings.size()).bytes / 2 ** 20));
  const db = new DatabaseSync(join(folder, 'table.sqlite'));
  const asked = process.env.BENCH_REPORTS?.split(',');
  for (const one of cases.filter(({ report }) => asked?.includes(report) ?? true))
    rows.push(...(await measured({ ledger, unsummed, db }, one)));
  db.close();
  engine.close();
  if (!asked) rows.push(...(await fileRows(folder)));
  rmSync(folder, { recursive: true });
  return rows;
}
