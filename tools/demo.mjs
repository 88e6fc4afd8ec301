// npm run demo: runs the main use cases end to end on a temporary folder and prints each step; exits with 1 if a step fails. `-- --curl` prints the request
// of each step as a command for a system on localhost:3000.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@svc/client';
import { root } from './setup.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
const deliveries = [];
let product;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (text) => console.log(text);
function promised(what, holds, seen) {
  if (!holds) throw new Error(`not as promised: ${what}; seen: ${JSON.stringify(seen)}`);
}
async function until(what, probe) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    const value = await probe().catch(() => undefined);
    if (value) return value;
  }
  throw new Error(`not as promised within 20 s: ${what}`);
}
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
async function freePort() {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const printsCurl = process.argv.includes('--curl');
/** Shell variables for ids that answers have. */
const variables = new Map();
function printCurl(method, path, body, headers) {
  let command = [
    `curl -X ${method} "localhost:3000/v1${path}" -H "Authorization: Bearer $KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body ? [`-H 'content-type: application/json' -d '${JSON.stringify(body)}'`] : []),
  ].join(' ');
  for (const [id, variable] of variables) command = command.replaceAll(`"${id}"`, `"'$${variable}'"`).replaceAll(id, `$${variable}`);
  say(`   ${command}`);
}

/** A webhook receiver: verifies the signature over the raw bytes and answers at once. */
const subscriber = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(200).end();
  });
});

async function run() {
  const hookPort = await listen(subscriber);
  const [port, opsPort, simulatorPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    LOG_LEVEL: 'warn',
    PORT: port,
    OPS_PORT: opsPort,
    SIMULATOR_PORT: simulatorPort,
    DATA_DIR: join(folder, 'data'),
    SETUP_FILE: join(folder, 'setup.json'),
    WEBHOOKS_ALLOW: `http://127.0.0.1:${hookPort}`,
  };
  say('Starting the platform: one process, embedded engine, a data folder of its own.');
  product = spawn(process.execPath, [join(root, 'services/standalone/dist/start.mjs')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await until('/readyz answers 200', async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok);
  const { test_key } = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8'));
  const call = async (method, path, body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${test_key}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    promised(`${method} ${path} succeeds`, response.ok, answer);
    if (printsCurl) {
      printCurl(method, path, body, headers);
      if (answer.object && answer.id && !variables.has(answer.id)) {
        variables.set(answer.id, answer.object.toUpperCase());
        say(`   ${answer.object.toUpperCase()}=${answer.id} # of the answer`);
      }
    }
    return answer;
  };

  const endpoint = await call('POST', '/webhooks', {
    url: `http://127.0.0.1:${hookPort}/hook`,
    events: ['invoice.submitted'],
    description: 'Demo shop',
  });
  say(`1. A webhook endpoint ${endpoint.id} listens to invoice.submitted.`);
  const customer = await call('POST', '/customers', { name: 'Blue Door Books', email: 'accounts@bluedoor.example' });
  say(`2. A customer: ${customer.name}, ${customer.id}.`);
  const draft = await call('POST', '/invoices', {
    customer_id: customer.id,
    currency: 'EUR',
    items: [{ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 }],
  });
  promised('the draft totals 120.60', draft.status === 'draft' && draft.total === 120.6, draft);
  say(`3. An invoice over EUR 120.60: ${draft.id}, a ${draft.status}.`);
  const submitted = await call('POST', `/invoices/${draft.id}/submit`, undefined, { prefer: 'wait=10' });
  promised(
    'the invoice has a number and a fiscal code',
    submitted.status === 'submitted' && submitted.number && submitted.fiscal_code,
    submitted,
  );
  say(`4. Submitted: number ${submitted.number}, fiscal code ${submitted.fiscal_code}.`);
  const delivery = await until('the webhook arrives', async () => deliveries[0]);
  const event = verifyWebhook(delivery, endpoint.secret); // throws where no signature fits
  promised(
    'the webhook reports this invoice',
    event.type === 'invoice.submitted' && event.data.fiscal_code === submitted.fiscal_code,
    event,
  );
  say(`5. The subscriber got ${event.type} (${event.id}); its signature is verified.`);
  const { data, meta } = await call('GET', '/invoices?status=submitted');
  promised('the list shows it', meta.total === 1 && data[0].id === draft.id, meta);
  say(`6. The list of submitted invoices has ${meta.total}.`);
  const report = await until('the sales report counts it', async () => {
    const found = await call('GET', '/reports/sales');
    await sleep(300);
    return found.totals[0]?.total === 120.6 && found;
  });
  say(
    `7. Sales this month: ${report.totals[0].documents} document, EUR ${report.totals[0].total.toFixed(2)}, of which tax ${report.totals[0].tax_total.toFixed(2)}.`,
  );
}

let code = 0;
try {
  await run();
  say('All as promised.');
} catch (error) {
  console.error(error.message);
  code = 1;
}
if (product) {
  const ended = new Promise((resolve) => product.once('exit', resolve));
  product.kill('SIGTERM');
  await ended;
}
subscriber.closeAllConnections();
subscriber.close();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
