import { FakeClock } from '@svc/kernel';
import { recordEvents } from '../../postings/record.ts';
import { startReportingApp } from '../../testing/reporting-app.ts';
import { customerId, invoiceEvent, registered } from '../../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>;
const customer = { id: customerId(1), email: null, phone: null, tax_id: null, language: null, address: null };
const publish = async (n: number, over: object = {}): Promise<void> => {
  const pending = { fiscal: { ...registered, status: 'pending' } };
  await app.publish(
    invoiceEvent(n, { ...over, ...pending }, { sequence: 1, entry: { type: 'numbered', numbered: { seq: n, series_key: 'INV.2026' } } }),
    invoiceEvent(n, over, { sequence: 2, entry: { type: 'registered' } }),
  );
};
beforeAll(async () => {
  app = await startReportingApp();
  await publish(1, { customer: { ...customer, name: '=1+1, "x"' } });
  await publish(2, { customer: { ...customer, name: '=1+1, "x"' }, type: 'credit_note', corrects: invoiceEvent(1).subject, total: 36 });
});
afterAll(() => app.close());

const period = 'from=2026-01-01&to=2026-01-31&as_of=2026-01-31';
const linkTo = async (query: string): Promise<string> => {
  const { body } = await app.get(`/reports/${query}&format=csv`);
  expect(body).toMatchObject({ object: 'file', expires_at: '2026-01-31T23:45:00.000Z' });
  return String(body['url']);
};
const open = async (url: string) => app.open(new URL(url).pathname);

test('a CSV by a link: a byte order mark, a header, lines with CRLF, texts guarded against formulas, negative amounts as numbers', async () => {
  const { status, headers, bytes } = await open(await linkTo(`sales?${period}&group_by=customer`));
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/csv/),
    'content-disposition': 'attachment; filename="sales-2026-01-01-2026-01-31.csv"',
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-store',
  });
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.subarray(3).toString()).toBe(
    'key,customer_name,currency,documents,subtotal,discount_total,tax_total,total\r\n' +
      `${customerId(1)},"'=1+1, ""x""",EUR,2,0,0,0,84\r\n`,
  );
});

test('cite=true gives a line for each cited document', async () => {
  const { bytes } = await open(await linkTo(`tax?${period}&cite=true`));
  const [header, ...lines] = bytes.subarray(3).toString().trim().split('\r\n');
  expect(header).toBe('category,code,rate,currency,document_id,number,amount,cited_tax,cited_issuer_base,cited_issuer_tax');
  expect(lines.map((line) => line.split(',').slice(-5))).toEqual([
    ['INV-2026-1', '100', '20', '100', '20'],
    ['INV-2026-2', '-100', '-20', '-100', '-20'],
  ]);
});

test('the file is of what was known when the link was made', async () => {
  const url = await linkTo(`sales?${period}&group_by=month`);
  const before = (await open(url)).bytes;
  await app.publish(
    invoiceEvent(
      3,
      { fiscal: { ...registered, status: 'pending' } },
      { sequence: 1, time: '2026-01-31T10:00:00.000Z', entry: { type: 'numbered', numbered: { seq: 3, series_key: 'INV.2026' } } },
    ),
    invoiceEvent(3, {}, { sequence: 2, time: '2026-01-31T10:00:01.000Z', entry: { type: 'registered' } }),
  );
  expect((await open(url)).bytes.equals(before)).toBe(true);
  expect((await open(await linkTo(`sales?${period}&group_by=month`))).bytes.equals(before)).toBe(false);
});

test('the file lacks what arrives later with an earlier time, in every fetch, also once it is summed', async () => {
  const other = await startReportingApp(undefined, { split: 5, least: 1, parts: 20_000 });
  const document = (n: number) => [
    invoiceEvent(
      n,
      { fiscal: { ...registered, status: 'pending' } },
      { sequence: 1, time: '2026-01-10T09:00:00.000Z', entry: { type: 'numbered', numbered: { seq: n, series_key: 'INV.2026' } } },
    ),
    invoiceEvent(n, {}, { sequence: 2, time: '2026-01-10T09:00:00.000Z', entry: { type: 'registered' } }),
  ];
  const paths = async () => {
    const queries = [`sales?${period}`, `receivables?${period}`, `numbering?${period}`];
    const urls = await Promise.all(queries.map(async (query) => (await other.get(`/reports/${query}&format=csv`)).body['url']));
    return urls.map((url) => new URL(String(url)).pathname);
  };
  const fetched = async (links: string[]) => {
    const files: string[] = [];
    for (const path of links) files.push((await other.open(path)).bytes.toString());
    return files;
  };
  await other.publish(...document(1));
  const links = await paths();
  const before = await fetched(links);
  await other.publish(...document(2));
  expect(await fetched(links)).toEqual(before);
  await other.passTime(120_000);
  expect((await Array.fromAsync(other.ledger.blocks.find({}))).map(({ summed }) => summed !== null)).toContain(true);
  expect(await fetched(links)).toEqual(before);
  const after = await fetched(await paths());
  expect(after.map((file, n) => file === before[n])).toEqual([false, false, false]);
  await other.close();
});

test('the file has what replicas stored before its link, and nothing that they store later, however their clocks differ', async () => {
  const other = await startReportingApp();
  const HOUR = 3_600_000;
  const store = (n: number, clockBy: number): Promise<void> => {
    const at = { time: '2026-01-10T09:00:00.000Z' };
    const numbered = { ...at, sequence: 1, entry: { type: 'numbered' as const, numbered: { seq: n, series_key: 'INV.2026' } } };
    const events = [
      invoiceEvent(n, { fiscal: { ...registered, status: 'pending' } }, numbered),
      invoiceEvent(n, {}, { ...at, sequence: 2, entry: { type: 'registered' } }),
    ];
    return recordEvents({ ...other.ledger, clock: new FakeClock(other.clock.now() + clockBy) }, events);
  };
  await store(1, HOUR);
  const { body } = await other.get(`/reports/sales?${period}&cite=true&format=csv`);
  const { pathname } = new URL(String(body['url']));
  const numbersIn = async (path: string) => (await other.open(path)).bytes.toString().match(/INV-2026-\d/g);
  expect(await numbersIn(pathname)).toEqual(['INV-2026-1']);
  await store(2, -HOUR);
  expect(await numbersIn(pathname)).toEqual(['INV-2026-1']);
  const later = await other.get(`/reports/sales?${period}&cite=true&format=csv`);
  expect(await numbersIn(new URL(String(later.body['url'])).pathname)).toEqual(['INV-2026-1', 'INV-2026-2']);
  await other.close();
});

test('a link does not open while postings are built: the file would lack some', async () => {
  const { pathname } = new URL(await linkTo(`sales?${period}`));
  const building = await startReportingApp();
  building.reading.published = 0;
  expect((await building.open(pathname)).status).toBe(503);
  delete building.reading.published;
  expect((await building.open(pathname)).status).toBe(200);
  await building.close();
});

test('a report without documents has its header alone; a changed, foreign or expired link does not open', async () => {
  const empty = await linkTo('submissions?from=2020-01-01&to=2020-01-31');
  expect((await open(empty)).bytes.subarray(3).toString()).toMatch(/^key,submitted,[a-z0-9_,]+\r\n$/);
  for (const url of [`${empty}x`, empty.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')), 'https://api.example/files/reporting.x'])
    expect((await open(url)).status).toBe(404);
  await app.passTime(15 * 60_000);
  expect((await open(empty)).status).toBe(404);
});
