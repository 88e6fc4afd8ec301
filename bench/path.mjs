// npm run bench path: our files that one POST /invoices runs through, from its headers to the append of its event, and those between the request that
// submits it and its webhook at a subscriber. The system runs in this process on the embedded engine; V8 counts calls (precise coverage). A file counts if one
// of its functions is called in each of ten requests, which excludes most background work; reporting reads the same events beside a webhook, never before it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@svc/authority-simulator';
import { Engine } from '@svc/embedded';
import { ensureDemoAccount } from '@svc/gateway';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createLogger, Health, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts } from '@svc/standalone/compose';

const REQUESTS = 10;
/** At most. A count does not vary, so there is no tolerance. */
const GOAL = 50;
/** The same from the submission to the delivered webhook. */
const DELIVERY_GOAL = 180;

const session = new Session();
session.connect();

/** Paths of our files in which a function was called since the last call. */
function filesCalled() {
  let files;
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    const called = result.filter(({ functions }) => functions.some(({ ranges: [range] }) => range.count > 0));
    files = called.flatMap(({ url }) => /\/((libs|services)\/[^/]+\/dist\/.+)$/.exec(decodeURI(url))?.[1] ?? []);
  });
  return new Set(files);
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-path-'));
  const engine = Engine.open(folder);
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const simulator = await startSimulator({ port: 0, host: '127.0.0.1', file: join(folder, 'ledger.db'), clock, logger });
  let delivered;
  const subscriber = createServer((request, response) => {
    request.resume().on('end', () => response.end(() => delivered?.resolve(filesCalled())));
  });
  await new Promise((resolve) => subscriber.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${subscriber.address().port}`;
  const ports = embeddedPorts({ engine, clock, logger });
  let appended;
  let measuring = false;
  const store = {
    ...ports.eventStore,
    append(stream, ...rest) {
      if (measuring && stream.startsWith('invoice-')) appended ??= filesCalled();
      return ports.eventStore.append(stream, ...rest);
    },
  };
  Object.setPrototypeOf(store, Object.getPrototypeOf(ports.eventStore));
  const { app, gateway } = await composeSystem(
    {
      clock,
      ids: createIds(clock),
      logger,
      health: new Health(clock),
      ringOf: () => parseKeyRing(`v1:${Buffer.alloc(32).toString('base64')}`),
      publicUrl: 'http://localhost',
      simulatorUrl: simulator.url,
      pace: 'live',
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      webhooks: { allowed: [hook], delays: [1_000, 1_000, 1_000, 1_000, 1_000] },
    },
    { ...ports, eventStore: store },
  );
  await app.listen(0, '127.0.0.1');
  app.getHttpServer().prependListener('request', () => (measuring || delivered) && filesCalled());
  const origin = await app.getUrl();
  const demo = await ensureDemoAccount(gateway.accounts, { plan: 'enterprise', email: 'bench@example.com' });

  const post = async (path, body) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const resource = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(resource)}`);
    return resource;
  };
  const customer = await post('/customers', { name: 'Ada' });
  const invoice = { customer_id: customer.id, items: [{ description: 'Consulting', quantity: 2, unit_price: 50 }] };
  await post('/invoices', invoice);

  measuring = true;
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let passed;
  for (let n = 0; n < REQUESTS; n += 1) {
    await clock.sleep(200);
    appended = undefined;
    await post('/invoices', invoice);
    passed = passed ? passed.intersection(appended) : appended;
  }
  measuring = false;

  await post('/webhooks', { url: `${hook}/`, events: ['invoice.submitted'] });
  let carried;
  for (let n = 0; n < REQUESTS; n += 1) {
    const { id } = await post('/invoices', invoice);
    await clock.sleep(200);
    delivered = Promise.withResolvers();
    await post(`/invoices/${id}/submit`, {});
    const called = await delivered.promise;
    delivered = undefined;
    carried = carried ? carried.intersection(called) : called;
  }
  session.disconnect();
  await app.close();
  await simulator.close();
  subscriber.close();
  subscriber.closeAllConnections();
  engine.close();
  rmSync(folder, { recursive: true });
  const files = [...passed].sort();
  const toWebhook = [...carried].filter((file) => !file.startsWith('services/reporting/'));
  console.log(files.join('\n'));
  return [
    { figure: 'files of ours that POST /invoices passes', value: files.length, goal: GOAL, ok: files.length <= GOAL },
    {
      figure: 'files from a submission to its webhook',
      value: toWebhook.length,
      goal: DELIVERY_GOAL,
      ok: toWebhook.length <= DELIVERY_GOAL,
    },
  ];
}
