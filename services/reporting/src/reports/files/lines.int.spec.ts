import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Grouping } from '@svc/contracts/report/query';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, soon } from '@svc/kernel';
import { csvPieces } from '@svc/service';
import { openLedger } from '../../postings/ledger.ts';
import { recordEvents } from '../../postings/record.ts';
import { randomHistory } from '../../testing/random-history.ts';
import { ACCOUNT } from '../../testing/sample-documents.ts';
import { cite } from '../citations.ts';
import type { Reading } from '../report.ts';
import { reportNamed } from '../served.ts';
import { linesOf } from './lines.ts';

const { events, days } = randomHistory(20_261_128, 150);
const clock = new FakeClock(Date.parse(events.at(-1)?.time ?? ''));
const folder = mkdtempSync(join(tmpdir(), 'svc-lines-'));
const engine = Engine.open(folder, { durable: false });
const ledger = openLedger(embeddedDocumentStore(engine, 'svc_reporting'));
const asked = (grouping?: Grouping): Reading => ({
  ...{ account: ACCOUNT, env: 'test', from: days[0], to: days[1], as_of: days[1], known_at: events.at(-1)?.time ?? null, kind: 'all' },
  ...{ grouping, cites: true, ledger, turn: soon },
});
beforeAll(() => recordEvents({ ...ledger, clock }, events));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const plain = (line: object): object => JSON.parse(JSON.stringify(line)) as object;

test.each<[string, Grouping | undefined]>([
  ['sales', 'day'],
  ['sales', 'customer'],
  ['sales', 'product'],
  ['tax', undefined],
  ['tax', 'customer'],
  ['products', undefined],
  ['receivables', undefined],
  ['customers', undefined],
  ['submissions', 'day'],
  ['submissions', 'authority'],
])('the cited documents of %s by %s are those of its rows, in their order, however few are held at once', async (name, grouping) => {
  const report = reportNamed(name);
  const { rows } = await report.run(asked(grouping));
  await cite(report, asked(grouping), rows);
  const expected = rows.flatMap((row) =>
    row.references.map(({ id, number, amount, ...beside }) => {
      const more = Object.entries(beside).map(([name, value]) => [`cited_${name}`, value] as const);
      return plain({ ...row.fields(), document_id: id, number, amount, ...Object.fromEntries(more) });
    }),
  );
  expect(expected.length).toBeGreaterThan(10);
  for (const most of [1, 7, 1_000])
    for (const rows of [2, 1_000]) {
      const { lines } = await linesOf(report, asked(grouping), { rows, lines: most });
      expect([most, rows, (await Array.fromAsync(lines)).map(plain)]).toEqual([most, rows, expected]);
    }
});

test.each<[string, Grouping | undefined]>([
  ['sales', 'day'],
  ['sales', 'week'],
  ['sales', 'customer'],
  ['tax', 'customer'],
  ['receivables', undefined],
  ['customers', undefined],
  ['submissions', 'day'],
])('the lines of %s by %s are its rows, in their order, however few are held at once', async (name, grouping) => {
  const report = reportNamed(name);
  const reading = { ...asked(grouping), cites: false };
  const expected = (await report.run(reading)).rows.map((row) => plain(row.fields()));
  for (const rows of [1, 3, 10]) {
    const { lines } = await linesOf(report, reading, { rows, lines: 1 });
    expect([rows, (await Array.fromAsync(lines)).map(plain)]).toEqual([rows, expected]);
  }
});

test('the lines of the certificate are its rows', async () => {
  const report = reportNamed('numbering');
  for (const more of [{}, { kind: 'receipts' as const }, { to: days[0], as_of: days[0] }, { known_at: events[60]?.time ?? null }]) {
    const { rows } = await report.run({ ...asked(), ...more });
    const { lines } = await linesOf(report, { ...asked(), ...more });
    expect(await Array.fromAsync(lines)).toEqual(rows.map((row) => row.fields()));
  }
});

test('what nobody reads is not made: a file of any length holds a few pieces', async () => {
  let made = 0;
  function* endless(): Generator<Record<string, unknown>> {
    for (;;) yield { n: (made += 1) };
  }
  const file = Readable.from(csvPieces(['n'], endless()), { highWaterMark: 1 });
  await new Promise((resolve) => file.once('readable', resolve));
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(made).toBeLessThan(3_000);
  file.destroy();
});
