import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, root, startReceiver, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

/** The commands of docs/tracing-a-request.md for one process, in their order: what an operator copies at night. */
const commands = [...readFileSync(join(root, 'docs/tracing-a-request.md'), 'utf8').matchAll(/```sh\n([^`]+)```/g)]
  .map(([, text = '']) => text)
  .filter((text) => !text.includes('kubectl'));

const OPS_TOKEN = 'a-token-for-operators-at-night-012345';
/** Where there is no curl, as on a bare machine: the forms of it that the page has. */
const CURL = `command -v curl > /dev/null || curl() { node -e '
  const words = process.argv.slice(1);
  const headers = words.flatMap((word, n) => (word === "-H" ? [words[n + 1].split(": ")] : []));
  fetch(words.find((word) => word.startsWith("http")), { headers }).then(async (answer) => process.stdout.write(await answer.text()));
' -- "$@"; }\n`;

let system: System;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
  const traces = { OTEL_TRACES_EXPORTER: 'console', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' };
  system = await startSystem({ ...traces, LOG_LEVEL: 'debug', WEBHOOKS_ALLOW: receiver.origin, OPS_TOKEN });
});
afterAll(async () => {
  await system?.stop();
  await receiver.close();
});

test('the commands lead from the id of a request to its log line, trace, stored events and webhooks', async () => {
  const call = checkedClient(system.url, system.setup.test_key);
  await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'] } });
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } });
  const items = [{ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 }];
  const { body: invoice } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items } });
  const submitted = await call('POST', `/invoices/${invoice.id}/submit`, { headers: { prefer: 'wait=25' } });
  const request = submitted.headers.get('x-request-id') ?? '';
  await eventually(() => receiver.deliveries.some(({ body }) => body.type === 'invoice.submitted'), 'the webhook');
  await eventually(() => system.output().includes(`'svc.request_id': '${request}'`), 'its span');

  const log = join(system.dataDir, 'invoicing.log');
  writeFileSync(log, system.output());
  const given = `REQUEST=${request}; API=${system.url}/v1; KEY=${system.setup.test_key}; DOCUMENT=${invoice.id}\n`;
  const script = commands
    .map((text) => text.replaceAll(/^(?:REQUEST|API|KEY|DOCUMENT)=.*$/gm, ''))
    .join('\n')
    .replaceAll('invoicing.log', log)
    .replaceAll('DATA_DIR=.data', `DATA_DIR=${join(system.dataDir, 'data')}`)
    .replaceAll('OPS_PORT=3001', `OPS_PORT=${new URL(system.ops).port}`)
    .replaceAll('OPS_TOKEN=…', `OPS_TOKEN=${OPS_TOKEN}`);
  const said = execFileSync('bash', ['-euo', 'pipefail', '-c', CURL + given + script], { cwd: root, encoding: 'utf8' });

  expect(commands.length).toBeGreaterThan(6);
  const found = (...texts: (string | RegExp)[]): void => {
    for (const text of texts) expect(said).toMatch(text instanceof RegExp ? text : RegExp(text.replaceAll(/[{}[\]()?.]/g, '\\$&')));
  };
  found(`"request_id":"${request}"`, '"route":"POST /invoices/{id}/submit"', new Date().toISOString().slice(0, 10));
  found(`'svc.request_id': '${request}'`, /name: 'POST \/v1\/invoices\/\{id\}\/submit'/, /name: 'POST authority'/, /name: 'POST webhook'/);
  found('"type": "InvoiceSubmissionRequested"', '"type": "InvoiceNumbered"', '"type":"registered"', '"outcome":"registered"');
  found('"type":"invoice.submitted"', '"object":"webhook_delivery"', '"status":"succeeded"', /"data": \[\]/);
  found('svc_subscription_lag_seconds{subscription="invoicing.publishing"}');
});
