import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import type { Grouping } from '@svc/contracts/report/query';
import { seeded } from '@svc/kernel/testing/seeded';
import { deliver } from '../../testing/deliver.ts';
import { randomHistory } from '../../testing/random-history.ts';
import { startReportingApp } from '../../testing/reporting-app.ts';
import { customerId } from '../../testing/sample-documents.ts';
import type { EntryEvent } from '../../postings/posting-of.ts';

// Skipped where LibreOffice is not installed: Debian has it as libreoffice-calc.
const withOffice = spawnSync('soffice', ['--version']).status === 0 ? test : test.skip;

type Row = Record<string, unknown> & { cited?: Record<string, unknown>[] };
/** A cell as LibreOffice has it. */
type Cell = { is: 'number'; value: number } | { is: 'date' | 'text'; value: string } | { is: 'empty' };

/** Comma, quotation mark, UTF-8: what the dialog proposes for a file with a byte order mark, and a conversion without a dialog does not. */
const UTF_8 = '--infilter=Text - txt - csv (StarCalc):44,34,76';
/** Names that a spreadsheet would calculate. */
const NAMES = ['=1+1', '+SUM(A1)', '-2+3', '@cmd', 'Plain "quoted", Ltd', 'Çela & Bij 東京'];
const named = (event: EntryEvent): EntryEvent => {
  const { customer, number } = event.data;
  const name = customer && NAMES[Number(customer.id.slice(-1)) % NAMES.length];
  // A text of digits alone, which no guard may precede, is a number to a spreadsheet: numbers of documents have letters, where the issuer leaves them.
  const data = { ...event.data, number: number && `S-${number}`, customer: customer && { ...customer, name } };
  return { ...event, data: data as EntryEvent['data'] };
};

let app: Awaited<ReturnType<typeof startReportingApp>>;
let folder: string;
const { events, days } = randomHistory(20_261_129, 300);
const period = `from=${days[0]}&to=${days[1]}&as_of=${days[1]}`;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  app = await startReportingApp(Date.parse(events.at(-1)?.time ?? '') + 600_000);
  await deliver(app, events.map(named), seeded(1));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const grouped: [string, Grouping][] = [
  ['sales', 'day'],
  ['sales', 'customer'],
  ['tax', 'customer'],
  ['submissions', 'day'],
];
const reports = [
  ...['sales', 'tax', 'receivables', 'customers', 'products', 'submissions', 'numbering'].map((name) => `reports/${name}?${period}`),
  ...grouped.map(([name, by]) => `reports/${name}?${period}&group_by=${by}`),
];
const paths = [
  ...reports,
  ...['sales', 'tax', 'receivables', 'customers', 'products'].map((name) => `reports/${name}?${period}&cite=true`),
  ...[0, 1].map((n) => `customers/${customerId(n)}/statement?as_of=${days[1]}`),
];

/** All rows as JSON has them, one for each cited document where there are some. */
async function rowsOf(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await app.get(`/${path}&per_page=100&page=${page}`);
    expect(status).toBe(200);
    rows.push(...body.data.map((row) => ({ customer_name: body['customer_name'], ...row })));
    if ((body['links'] as unknown as { next: string | null }).next === null) break;
  }
  if (!path.includes('cite=true')) return rows;
  return rows.flatMap(({ cited = [], ...row }) =>
    cited.map(({ id, number, amount, ...beside }) => {
      const more = Object.entries(beside).map(([name, value]) => [`cited_${name}`, value] as const);
      return { ...row, document_id: id, number, amount, ...Object.fromEntries(more) };
    }),
  );
}

async function save(path: string, name: string): Promise<string> {
  const { body } = await app.get(`/${path}&format=csv`);
  const { bytes } = await app.open(new URL(String(body['url'])).pathname);
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, bytes);
  return file;
}

interface XmlCell {
  'table:formula'?: string;
  'table:number-columns-repeated'?: string;
  'office:value-type'?: string;
  'office:value'?: string;
  'office:date-value'?: string;
  'text:p'?: string;
}
interface Fods {
  'office:document': {
    'office:body': { 'office:spreadsheet': { 'table:table': { 'table:table-row': { 'table:table-cell': XmlCell[] }[] } } };
  };
}
const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false, trimValues: false },
  isArray: (name) => ['table:table-row', 'table:table-cell'].includes(name),
});

/** The rows of a sheet. A formula fails the test. */
function sheetOf(name: string): Cell[][] {
  const sheet = parser.parse(readFileSync(join(folder, 'out', `${name}.fods`), 'utf8')) as Fods;
  const rows = sheet['office:document']['office:body']['office:spreadsheet']['table:table']['table:table-row'];
  return rows.map((row) =>
    row['table:table-cell'].flatMap((cell) => {
      expect(cell['table:formula']).toBeUndefined();
      return Array.from({ length: Number(cell['table:number-columns-repeated'] ?? 1) }, () => cellOf(cell));
    }),
  );
}
function cellOf(cell: XmlCell): Cell {
  if (cell['office:value-type'] === 'float') return { is: 'number', value: Number(cell['office:value']) };
  if (cell['office:value-type'] === 'date') return { is: 'date', value: String(cell['office:date-value']) };
  return cell['office:value-type'] === undefined ? { is: 'empty' } : { is: 'text', value: String(cell['text:p']) };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
function expectedCell(value: unknown): Cell {
  if (value === null || value === undefined) return { is: 'empty' };
  if (typeof value !== 'string') return { is: 'number', value: Number(JSON.stringify(value)) };
  return DAY.test(value) ? { is: 'date', value } : { is: 'text', value: /^[=+\-@]/.test(value) ? `'${value}` : value };
}

withOffice(
  'every CSV opens with the same cells as the JSON: numbers below 0, days, and texts that would be formulas are what they are',
  async () => {
    const expected: Row[][] = [];
    const files: string[] = [];
    for (const [n, path] of paths.entries()) {
      expected.push(await rowsOf(path));
      files.push(await save(path, String(n)));
    }
    mkdirSync(join(folder, 'out'));
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = ['--headless', profile, UTF_8, '--convert-to', 'fods', '--outdir', join(folder, 'out'), ...files];
    expect(spawnSync('soffice', args, { timeout: 240_000 }).status).toBe(0);
    let [numbers, below, dates, guarded] = [0, 0, 0, 0];
    for (const [n, path] of paths.entries()) {
      const [header = [], ...rows] = sheetOf(String(n));
      const columns = header.map((cell) => ('value' in cell ? String(cell.value) : ''));
      const cells = (expected[n] ?? []).map((row) => columns.map((column) => expectedCell(row[column])));
      expect([path, rows.map((row) => columns.map((_, at) => row[at] ?? { is: 'empty' }))]).toEqual([path, cells]);
      expect([path, rows.length > 0]).toEqual([path, true]);
      for (const cell of rows.flat()) {
        if (cell.is === 'number') [numbers, below] = [numbers + 1, below + Number(cell.value < 0)];
        else if (cell.is === 'date') dates += 1;
        else if (cell.is === 'text' && cell.value.startsWith("'")) guarded += 1;
      }
    }
    expect(Object.entries({ numbers, below, dates, guarded }).filter(([, count]) => count <= 10)).toEqual([]);
  },
  300_000,
);
