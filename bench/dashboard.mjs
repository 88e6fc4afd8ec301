// The dashboard in Chromium, for an account with 100,000 invoices: its first load, each page, and a key press in a form. The folder is filled once and kept, as
// that of `list`; BENCH_INVOICES=2000 for a quick run, BENCH_CUSTOMERS=1 for one customer who has them all, BENCH_CATALOG=100000 for as many other customers,
// BENCH_ONLY=searched,further for these parts alone. CHROMIUM names the browser; Debian's without it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { spentMs } from '../tests/browser/testing/renderer.ts';
import { typed, typedAtTill, typedInCredit, typedInMany } from './dashboard-keys.mjs';
import { addRows } from './dashboard-rows.mjs';
import { searched } from './dashboard-search.mjs';
import { kept, started } from './filled.mjs';
import { aim, median, none, shown } from './load.mjs';
import { sendJson } from './server.mjs';

const MANY = Number(process.env.BENCH_INVOICES ?? 100_000);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ROUNDS = 3;
/** Before each round: a page asks for what counts as some 16 of the 300 requests that a member has in a minute. */
const PACE_MS = 4_000;
/** Milliseconds to the rows of a list. */
const LIST_MS = 1_000;
const PASSWORD = 'Bridge-and-lantern-7';

/** A page in a new browser context, and what it loads. */
async function visit(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', timezoneId: 'Europe/Madrid' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const seen = { bytes: 0, failed: [] };
  session.on('Network.loadingFinished', ({ encodedDataLength: bytes }) => (seen.bytes += bytes));
  page.on('response', (response) => void (isFailure(response) && seen.failed.push(`${response.status()} ${response.url()}`)));
  return { context, page, seen };
}

/** No unfinished form is kept: the page begins an empty one. A number that is half typed may have no preview. */
const isFailure = (response) =>
  response.status() >= 400 && !EXPECTED.some(([status, path]) => response.status() === status && response.url().includes(path));
const EXPECTED = [
  [404, '/console/forms/'],
  [422, '/invoices/preview'],
];

/** Makes another owner of the account, who signs in by a link and sets a password. */
async function signedIn(browser, { ops, folder, account }) {
  const { admin_token: token } = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8'));
  const email = `owner-${Date.now()}@bench.example`;
  const { sign_in_url: link } = await sendJson(`${ops}/admin/accounts/${account}/owners`, token, { email });
  const visitor = await visit(browser);
  const { page } = visitor;
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('input').and(page.getByLabel('Name')).first().fill('Ana Owner');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await titled(page, 'Today').waitFor();
  // Before, it is asked who is signed in.
  visitor.seen.failed.length = 0;
  return { ...visitor, origin: new URL(link).origin };
}

const titled = (page, name) => page.getByRole('heading', { name, level: 1, exact: true });
/** The first row of the list that is shown, not of one that is on its way. */
const row = (page) => page.locator('table[aria-busy=false] tbody tr').first();

/** Milliseconds until `ready`, and of the renderer's main thread, for what `run` does in each of some rounds. The first one is not counted. */
async function measured(page, { before = async () => undefined, run, ready }) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.waitForTimeout(PACE_MS);
    await before();
    let ms;
    const cpu = await spentMs(
      page,
      async () => {
        const began = performance.now();
        await run(round);
        await ready();
        ms = performance.now() - began;
      },
      1,
    );
    if (round > 0) times.push({ ms, cpu });
  }
  return { ms: median(times.map(({ ms }) => ms)), most: Math.max(...times.map(({ ms }) => ms)), cpu: median(times.map(({ cpu }) => cpu)) };
}

const rowOf = (figure, { ms, most, cpu }, goal) => ({ ...(goal ? aim(figure, ms, goal) : shown(figure, ms)), most, rendererMs: cpu });

/** What a person opens in the list of invoices, by the address. */
const lists = ({ month, customer }) => ({
  'the invoices': '/app/invoices',
  'the invoices, submitted': '/app/invoices?status=submitted',
  'the invoices, open': '/app/invoices?status=submitted&payment_status=unpaid,partial',
  'the invoices of a month by total': `/app/invoices?issue_from=${month}-01&issue_to=${month}-28&sort=-total`,
  'the invoices of a customer': `/app/invoices?customer_id=${customer}`,
  'the invoices, page 2,000': `/app/invoices?page=${Math.min(2_000, MANY / 20)}`,
  'the receipts': '/app/receipts',
  'the receipts by total': '/app/receipts?sort=-total',
  'the customers': '/app/customers',
  'the statement of a customer': `/app/customers/${customer}`,
  'the report of sales by month': `/app/reports?report=sales&group_by=month&from=${month}-01&to=${month}-28`,
  'the audit': '/app/settings/audit',
});

/** Each list by its address, everything but the files of the dashboard asked for anew. */
async function opened(visitor) {
  const { page, origin, server } = visitor;
  const rows = await toRows(visitor, lists(server));
  const today = { run: () => page.goto(`${origin}/app`), ready: () => page.locator('main li, main h2').first().waitFor() };
  rows.push(rowOf('Today, ms', await measured(page, today), LIST_MS));
  const [invoice] = server.sample;
  const one = { run: () => page.goto(`${origin}/app/invoices/${invoice}`), ready: () => page.locator('iframe').waitFor() };
  rows.push(rowOf('an invoice with its paper, ms', await measured(page, one), LIST_MS));
  return rows;
}

async function toRows({ page, origin }, paths) {
  const rows = [];
  for (const [name, path] of Object.entries(paths)) {
    const open = { run: () => page.goto(origin + path), ready: () => row(page).waitFor() };
    const took = await measured(page, open).catch((error) => {
      throw new Error(`${name} at ${path}`, { cause: error });
    });
    rows.push(rowOf(`${name}: to its rows, ms`, took, LIST_MS));
  }
  return rows;
}

/** The second page of each list, and the 500th. */
const further = (visitor) => {
  const { endpoint } = visitor.server;
  const found = {
    invoices: '/app/invoices',
    receipts: '/app/receipts',
    customers: '/app/customers',
    audit: '/app/settings/audit',
    deliveries: `/app/webhooks/${endpoint}`,
  };
  const pages = Object.entries(found).flatMap(([name, path]) => [1, 2, 500].map((n) => [`the ${name}, page ${n}`, `${path}?page=${n}`]));
  return toRows(visitor, Object.fromEntries(pages));
};

/** What a person presses within the list. */
async function pressed({ page, origin }) {
  const before = async () => {
    await page.goto(`${origin}/app/invoices`);
    await row(page).waitFor();
  };
  const settled = async () => {
    await page.waitForLoadState('networkidle');
    await row(page).waitFor();
  };
  const answered = page.waitForResponse.bind(page, (response) => response.url().includes('/console/v1/invoices?'));
  const presses = {
    'a tab of the invoices': () =>
      page
        .getByRole('link', { name: /^Issued|^Submitted/ })
        .first()
        .click(),
    'the next page of the invoices': () => page.getByRole('link', { name: 'Next page' }).click(),
  };
  const rows = [];
  for (const [name, press] of Object.entries(presses)) {
    const run = async () => {
      const answer = answered();
      await press();
      await answer;
    };
    rows.push(rowOf(`${name}, ms`, await measured(page, { before, run, ready: () => row(page).waitFor() }), LIST_MS));
  }
  const search = {
    async before() {
      await settled();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
    },
    run: (round) => page.getByRole('combobox', { name: 'Search' }).fill(`00004${round}`),
    ready: () => page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor(),
  };
  rows.push(rowOf('the search for a part of a number, ms', await measured(page, search), LIST_MS));
  await page.keyboard.press('Escape');
  return rows;
}

/** From nothing, as on another machine: the bytes of the shell and of Today, and the time until it is there. */
async function firstLoad({ context, origin }, browser) {
  const cookies = await context.cookies();
  const loads = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { context: other, page, seen } = await visit(browser);
    await other.addCookies(cookies);
    let ms;
    const cpu = await spentMs(
      page,
      async () => {
        const began = performance.now();
        await page.goto(`${origin}/app`);
        await titled(page, 'Today').waitFor();
        ms = performance.now() - began;
      },
      1,
    );
    await page.waitForLoadState('networkidle');
    loads.push({ ms, cpu, kib: seen.bytes / 1024 });
    await other.close();
  }
  const of = (name) => median(loads.map((load) => load[name]));
  return [
    { ...aim('first load to Today, ms', of('ms'), LIST_MS), most: Math.max(...loads.map(({ ms }) => ms)), rendererMs: of('cpu') },
    shown('first load, KiB with its data', of('kib')),
  ];
}

export async function run() {
  const { folder, isKept, buildSeconds } = await kept(MANY);
  const more = await addRows(folder);
  const server = { ...(await started(folder)), ...more };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const visitor = { ...(await signedIn(browser, { ...server, folder })), server };
    const rows = [shown(`${MANY} invoices: read models built${isKept ? ' that an earlier run lacked' : ''}, s`, buildSeconds)];
    const asked = process.env.BENCH_ONLY?.split(',');
    const parts = [firstLoad, opened, further, pressed, searched, typed, typedInMany, typedInCredit, typedAtTill].filter(
      ({ name }) => asked?.includes(name) ?? true,
    );
    for (const part of parts) {
      const found = await part(visitor, browser);
      // A part that fails does not take with it what the others have measured.
      for (const { figure, value, most } of found)
        console.error(`${figure}: ${value.toFixed(1)}${most ? `, at most ${most.toFixed(1)}` : ''}`);
      rows.push(...found);
    }
    for (const failed of visitor.seen.failed) console.error(failed);
    return [...rows, none('answers that were refused or failed', visitor.seen.failed.length)];
  } finally {
    await browser.close();
    await server.stop();
  }
}
