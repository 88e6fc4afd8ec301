// node tools/freeze-folder.mjs [folder]: makes a small data folder in the current format, with every event type that is stored now, and saves it as a
// fixture, or in the given folder. Tests check that every later version opens it. Run it when a format, a type or a version is new; never replace an
// existing folder.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fillNational } from './freeze-national.mjs';
import { appendUnserved } from './freeze-unserved.mjs';
import { root, setup } from './setup.mjs';

const { node24 } = await setup();
if (Number(process.versions.node.split('.')[0]) < 24)
  process.exit(spawnSync(node24, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
const { DatabaseSync } = await import('node:sqlite');
const { compared, typesIn } = await import('./frozen-types.mjs');

const MOST_BYTES = 400 * 1024;
const OPS_TOKEN = 'freeze-an-operators-token-of-tests';
const work = mkdtempSync(join(tmpdir(), 'svc-freeze-'));
const data = join(work, 'data');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(what, probe) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    const value = await probe().catch(() => undefined);
    if (value) return value;
  }
  throw new Error(`not within 60 s: ${what}`);
}
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
async function freePort() {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const subscriber = createServer((request, response) => request.resume().on('end', () => response.writeHead(200).end()));
const hookPort = await listen(subscriber);
const [PORT, OPS_PORT, SIMULATOR_PORT] = [await freePort(), await freePort(), await freePort()];
const env = {
  ...process.env,
  ...{ PORT, OPS_PORT, SIMULATOR_PORT, DATA_DIR: data, SETUP_FILE: join(work, 'setup.json'), OPS_TOKEN },
  ...{ LOG_LEVEL: 'warn', WEBHOOKS_ALLOW: `http://127.0.0.1:${hookPort}`, PUBLIC_URL: 'http://localhost:3000' },
};
async function start(more = {}) {
  const program = spawn(node24, [join(root, 'services/standalone/dist/start.mjs')], {
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => program.once('exit', resolve));
  await until('/readyz answers 200', async () => (await fetch(`http://127.0.0.1:${OPS_PORT}/readyz`)).ok);
  return async (signal) => {
    program.kill(signal);
    await ended;
  };
}
let stop = await start({ AUTHORITY_PACE: 'fast' });
const setupFile = JSON.parse(readFileSync(join(work, 'setup.json'), 'utf8'));
const { test_key, admin_token } = setupFile;

const callWith = (key) =>
  async function call(method, path, body, headers = {}) {
    const response = await fetch(`http://127.0.0.1:${PORT}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after')) * 1_000);
      return call(method, path, body, headers);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
const call = callWith(test_key);
/** What an operator sends, on the port of the operators or of the simulator. */
async function posted(port, path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status} ${await response.text()}`);
  return response.json();
}
const operators = {
  openAccount: async () =>
    callWith((await posted(OPS_PORT, '/admin/accounts', { name: 'National', plan: 'enterprise' }, admin_token)).test_key),
  ops: (path, body) => posted(OPS_PORT, `/admin${path}`, body, OPS_TOKEN),
  simulator: (path, body) => posted(SIMULATOR_PORT, path, body),
};
const wait = { prefer: 'wait=25' };
const { paths } = await (await fetch(`http://127.0.0.1:${PORT}/openapi.json`)).json();
const serves = (method, path) => (paths[path] ?? paths[`/v1${path}`])?.[method] !== undefined; // 0.1.0 names paths with /v1
const line = { description: 'Consulting', quantity: 2, unit_price: '50.25', tax_rate: 20 };

/** Makes every state, and every event type that a route can cause. */
async function fill() {
  // Without the year in the format, numbers continue whenever this folder is opened.
  await call('PATCH', '/issuer', { series: { standard: { format: '{series}-{seq:6}' } } });
  await call('POST', '/webhooks', { url: `http://127.0.0.1:${hookPort}/hook`, events: ['*'], description: 'Shop' });
  const customers = [];
  for (const name of ['Blue Door Books', 'Ana Prela', 'Gone'])
    customers.push(
      await call('POST', '/customers', { name, email: 'someone@customers.example', address: { city: 'Tirana', country: 'AL' } }),
    );
  const [{ id: customer_id }, , gone] = customers;
  await call('PATCH', `/customers/${customer_id}`, { phone: '+355 4 123 456', metadata: { since: '2019' } });
  await call('DELETE', `/customers/${gone.id}`);
  if (serves('post', '/customers/{id}/erase')) await call('POST', `/customers/${gone.id}/erase`);
  if (serves('post', '/products')) {
    const { id } = await call('POST', '/products', { name: 'Hour', sku: 'H-1', unit_price: 80, tax_rate: 20 });
    await call('PATCH', `/products/${id}`, { description: 'An hour of work', currency: 'EUR', metadata: { since: '2026' } });
    const { id: old } = await call('POST', '/products', {
      name: 'Old',
      sku: 'O-1',
      taxes: [{ rate: 0, code: 'E', exemption_reason: 'Art. 20' }],
    });
    await call('DELETE', `/products/${old}`);
  }

  const draft = (simulate, more = {}) =>
    call('POST', '/invoices', {
      customer_id,
      currency: 'EUR',
      items: [line, { description: 'Tea', unit_price: 3 }],
      metadata: { simulate },
      ...more,
    });
  const submitted = async (simulate) => {
    const { id } = await draft(simulate);
    return call('POST', `/invoices/${id}/submit`, undefined, wait);
  };
  const receipt = (simulate, more) =>
    call('POST', '/receipts', { items: [line], payment_method: 'cash', metadata: { simulate }, ...more }, wait);
  // First, since the country stays as it is while documents are submitting or voiding.
  await voidByCorrectives({ submitted, receipt });
  await call('PATCH', `/invoices/${(await draft('accept', { notes: 'A draft', supply_date: '2026-01-02', exchange_rate: '117.5' })).id}`, {
    notes: 'A changed draft',
  });
  await call('POST', `/invoices/${(await draft('accept')).id}/void`);
  const paid = await submitted('accept');
  if (serves('post', '/invoices/{id}/payments')) {
    await call('POST', `/invoices/${paid.id}/payments`, { amount: 20, paid_at: paid.issue_date });
    const { id } = await call('POST', `/invoices/${paid.id}/payments`, { amount: '5.50', paid_at: paid.issue_date, reference: 'R-1' });
    await call('DELETE', `/invoices/${paid.id}/payments/${id}`);
  }
  await call('POST', `/invoices/${(await submitted('reject')).id}/submit`, undefined, wait);
  const corrected = await submitted('accept');
  const correction = (type, simulate, unit_price, quantity = 1) =>
    draft(simulate, { type, corrects: corrected.id, items: [{ description: 'Returned', quantity, unit_price, tax_rate: 20 }] });
  const sent = async ({ id }) => call('POST', `/invoices/${id}/submit`, undefined, wait);
  await sent(await correction('credit_note', 'accept', 10));
  await sent(await correction('corrective', 'accept', 10, -1));
  const returned = await sent(await correction('credit_note', 'accept', 5));
  await call('POST', `/invoices/${returned.id}/void`, { reason: 'Not returned' }, wait);
  const rejected = await sent(await correction('credit_note', 'reject', 60));
  await sent(rejected);
  await submitted('lost_reply');
  await submitted('duplicate_foreign');
  if (serves('post', '/invoices/{id}/resolve'))
    await call('POST', `/invoices/${(await submitted('duplicate_foreign')).id}/resolve`, {
      ...{ outcome: 'registered', code: 'BY-HAND-1', note: 'The portal shows it' },
    });
  await call('POST', `/invoices/${(await submitted('accept')).id}/void`, { reason: 'Wrong customer' }, wait);
  await call('POST', `/invoices/${(await submitted('refuse_void')).id}/void`, { reason: 'Wrong customer' }, wait);
  await receipt('accept', { customer_id });
  await call('POST', `/receipts/${(await receipt('reject:credentials')).id}/resubmit`, undefined, wait);
  await receipt('lost_reply');
  await call('POST', `/receipts/${(await receipt('refuse_void')).id}/void`, { reason: 'Returned' }, wait);
  await call('POST', `/receipts/${(await receipt('accept')).id}/void`, { reason: 'Returned' }, wait);
  const slow = await submitted('slow:3000');
  await call('POST', `/invoices/${(await draft('unavailable:10000')).id}/submit`);
  await until('every delivery', async () => {
    const { data: hooks } = await call('GET', '/webhooks');
    return (await call('GET', `/webhooks/${hooks[0].id}/deliveries?status=pending`)).meta.total === 0;
  });
  await until('no submission is between two attempts', async () => {
    const all = [...(await call('GET', '/invoices?per_page=100')).data, ...(await call('GET', '/receipts?per_page=100')).data];
    return all.every(
      ({ fiscal, metadata }) => fiscal === null || metadata.simulate?.startsWith('unavailable') || fiscal.status !== 'unknown',
    );
  });
  await until('the report', async () => (await call('GET', '/reports/sales')).data.length > 0);
  return { customer_id, slow, corrected, rejected };
}

/** Voids of an issuer of Albania, whose authority annuls nothing: registered, refused, and of a receipt whose registration is open. */
async function voidByCorrectives({ submitted, receipt }) {
  const { country, currency, series } = await call('GET', '/issuer');
  const albanian = { standard: { code: 'AL', format: '{seq}/{year}' } };
  await call('PATCH', '/issuer', { country: 'AL', currency: 'EUR', series: albanian, units: [{ code: 'U1', devices: ['D1'] }] });
  const voided = async (path, id) => {
    await call('POST', `${path}/${id}/void`, { reason: 'Wrong customer' });
    await until('the end of a void', async () => (await call('GET', `${path}/${id}`)).status !== 'voiding');
  };
  for (const simulate of ['accept', 'refuse_void']) {
    await voided('/invoices', (await submitted(simulate)).id);
    await voided('/receipts', (await receipt(simulate)).id);
  }
  const { id } = await call('POST', '/receipts', { items: [line], payment_method: 'cash', metadata: { simulate: 'slow:1500' } });
  await voided('/receipts', id);
  await call('PATCH', '/issuer', {
    country,
    currency,
    series: { standard: { code: series.standard.code, format: series.standard.format } },
    units: [],
  });
  const after = await call('GET', '/issuer');
  if (JSON.stringify(after.series) !== JSON.stringify(series)) throw new Error('the issuer is not as it was before');
}

async function kept() {
  const list = async (path) => (await call('GET', `${path}?per_page=100`)).data;
  const expected = {
    invoices: await list('/invoices'),
    receipts: await list('/receipts'),
    customers: await list('/customers'),
    webhooks: await list('/webhooks'),
    events: (await call('GET', '/events')).meta.total,
  };
  if (serves('get', '/products')) expected.products = await list('/products');
  const states = new Set(expected.invoices.map(({ status }) => status));
  for (const state of ['draft', 'submitting', 'submitted', 'failed', 'voiding', 'voided'])
    if (!states.has(state)) throw new Error(`no invoice is ${state}`);
  return expected;
}

try {
  await fillNational({ ...operators, until, sleep });
  await stop('SIGTERM');
  stop = await start();
  const { customer_id, slow, corrected, rejected } = await fill();
  await stop('SIGTERM');
  await appendUnserved({ data, setup: setupFile, customer_id, corrected: corrected.id, rejected: rejected.id });
  stop = await start();
  // Last, because the authority answers late: this one stays `voiding`.
  await call('POST', `/invoices/${slow.id}/void`, { reason: 'Wrong customer' });
  const expected = await kept();
  // Killed, because a graceful stop would complete the voiding. Acknowledged writes are in the log of the database.
  await stop('SIGKILL');
  const { user_version: format } = compact(join(data, 'data.sqlite'));
  compact(join(data, 'authority.sqlite'));
  const declared = { ...(await import('@svc/invoicing/registrations')).storedTypes };
  Object.assign(declared, (await import('@svc/fiscal-submission/submission/stored-types')).storedTypes);
  const { missing, undeclared } = compared(typesIn(join(data, 'data.sqlite')), declared);
  if (missing.length + undeclared.length > 0) throw new Error(`missing: ${missing.join(', ')}; not declared: ${undeclared.join(', ')}`);
  const target = process.argv[2] ?? nextTarget(format);
  mkdirSync(join(target, 'data'), { recursive: true });
  cpSync(join(data, 'secrets.json'), join(target, 'data', 'secrets.json'));
  // Compressed, because most pages of a small database are nearly empty.
  for (const name of ['data.sqlite', 'authority.sqlite'])
    writeFileSync(join(target, 'data', `${name}.gz`), gzipSync(readFileSync(join(data, name)), { level: 9 }));
  cpSync(join(work, 'setup.json'), join(target, 'setup.json'));
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
  writeFileSync(
    join(target, 'README.md'),
    'A data folder as that format was written, for tests alone: its keys and secrets open nothing else.\n',
  );
  const bytes = readdirSync(target, { recursive: true }).reduce((sum, name) => sum + statSync(join(target, name)).size, 0);
  console.log(`${target}: ${bytes} bytes`);
  if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stop('SIGKILL');
  subscriber.closeAllConnections();
  subscriber.close();
  rmSync(work, { recursive: true, force: true });
}

/** The name of the next folder: `data-folder-v1`, then `data-folder-v1.2` and so on within a format. */
function nextTarget(format) {
  const fixtures = fileURLToPath(new URL('../services/standalone/fixtures/', import.meta.url));
  const made = readdirSync(fixtures).filter(
    (name) => name === `data-folder-v${format}` || name.startsWith(`data-folder-v${format}.`),
  ).length;
  return join(fixtures, made === 0 ? `data-folder-v${format}` : `data-folder-v${format}.${made + 1}`);
}

/** Merges the log into the database and releases free pages. */
function compact(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  const version = db.prepare('PRAGMA user_version').get();
  db.close();
  return version;
}
