// npm run bench path: our files that one POST /invoices runs through, from its headers to the append of its event. The system runs in this
// process on the embedded engine; V8 counts calls (precise coverage). A file counts if one of its functions is called in each of ten requests,
// which excludes background work.
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { ensureDemoAccount } from '@svc/gateway';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createLogger, Health, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts } from '@svc/standalone/compose';

const REQUESTS = 10;
/** At most. A count does not vary, so there is no tolerance. */
const GOAL = 50;

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
      simulatorUrl: 'http://localhost:1',
      pace: 'live',
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      webhooks: { allowed: [], delays: [1_000, 1_000, 1_000, 1_000, 1_000] },
    },
    { ...ports, eventStore: store },
  );
  await app.listen(0, '127.0.0.1');
  app.getHttpServer().prependListener('request', () => measuring && filesCalled());
  const origin = await app.getUrl();
  const demo = await ensureDemoAccount(gateway.accounts, { plan: 'enterprise', email: 'bench@example.com' });

  const post = async (path, body) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const resource = await answer.json();
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(resource)}`);
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
  session.disconnect();
  await app.close();
  engine.close();
  rmSync(folder, { recursive: true });
  const files = [...passed].sort();
  console.log(files.join('\n'));
  return [{ figure: 'files of ours that POST /invoices passes', value: files.length, goal: GOAL, ok: files.length <= GOAL }];
}
