import { client, eventually, startReceiver, startSystem, type Call, type System } from '@svc/testkit';

const INVOICES = 500;
const PER_SECOND = 10;
const KILLS = 15;

interface LedgerRow {
  document_number: string;
  code: string;
  voided_at: string | null;
  received: { record_sha256: string }[];
}

interface Invoice {
  id: string;
  status: string;
  number: string;
  fiscal_code: string;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A client as it should be: repeats what was not answered, under the same Idempotency-Key, until it is. */
async function persistently(call: Call, path: string, body: unknown, key: string): Promise<Invoice> {
  for (let attempt = 1; attempt <= 600; attempt += 1) {
    try {
      const answer = await call<Invoice>('POST', path, { headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) });
      if (answer.status < 300) return answer.body;
      if (answer.status !== 409 && answer.status < 500) throw new TypeError(`${path} answered ${answer.status}: ${answer.text}`);
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith(path)) throw error;
    }
    await sleep(100);
  }
  throw new Error(`${path} was never answered`);
}

/** Kills the process group 0.2–3 s after it is ready, again and again, always with requests in flight. */
async function killAgainAndAgain(first: System, inFlight: () => number, done: () => boolean): Promise<{ system: System; kills: number }> {
  let system = first;
  let kills = 0;
  while (!done() || kills < KILLS) {
    await sleep(200 + ((kills * 0.618_034) % 1) * 2800);
    if (!done() || kills < KILLS) await eventually(() => inFlight() > 0 || done(), 'a request in flight');
    if (done()) break;
    await system.kill('SIGKILL');
    kills += 1;
    system = await system.restart();
  }
  return { system, kills };
}

async function everything<T>(call: Call, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await call<{ data: T[]; links: { next: string | null } }>('GET', path, { query: { per_page: 100, page } });
    rows.push(...body.data);
    if (body.links.next === null) return rows;
  }
}

test(`${INVOICES} invoices under kill -9: nothing acknowledged is lost, one number, one registration, every webhook`, async () => {
  const receiver = await startReceiver();
  const first = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s,20s' });
  const limits = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };
  const { body: account } = await client(`${first.ops}/admin`, first.setup.admin_token)<{ test_key: string }>('POST', '/accounts', {
    body: { name: 'Kill', plan: 'enterprise', limits },
  });
  const call = client(`${first.url}/v1`, account.test_key);
  expect((await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'], description: 'all' } })).status).toBe(
    201,
  );
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, currency: 'EUR', items: [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }] };

  let inFlight = 0;
  let finished = 0;
  const acknowledged = new Map<string, string>();
  const one = async (n: number): Promise<void> => {
    await sleep((n * 1000) / PER_SECOND);
    inFlight += 1;
    const { id } = await persistently(call, '/invoices', body, `create-${n}`);
    const { number } = await persistently(call, `/invoices/${id}/submit`, undefined, `submit-${n}`);
    acknowledged.set(id, number);
    inFlight -= 1;
    finished += 1;
  };
  const clients = Promise.all(Array.from({ length: INVOICES }, (_, n) => one(n)));
  const [{ system, kills }] = await Promise.all([
    killAgainAndAgain(
      first,
      () => inFlight,
      () => finished === INVOICES,
    ),
    clients,
  ]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);

  const list = (status: string): Promise<number> =>
    call<{ meta: { total: number } }>('GET', '/invoices', { query: { status, per_page: 1 } }).then(({ body: { meta } }) => meta.total);
  await eventually(async () => (await list('submitted')) === INVOICES, 'all submitted', 120_000);
  const rows = await everything<Invoice>(call, '/invoices');
  expect(rows).toHaveLength(INVOICES);
  for (const { id, number } of rows) expect([id, acknowledged.get(id)]).toEqual([id, number]);
  expect(rows.map(({ number }) => Number(number.slice(-6))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: INVOICES }, (_, n) => n + 1),
  );

  const ledger: LedgerRow[] = [];
  for (let after = 0; ; after = ledger.length) {
    const { body: page } = await client(system.simulator)<{ data: LedgerRow[] }>('GET', '/ledger', { query: { after, limit: 500 } });
    ledger.push(...page.data);
    if (page.data.length === 0) break;
  }
  expect(ledger.map(({ document_number }) => document_number).sort()).toEqual(rows.map(({ number }) => number).sort());
  for (const { received } of ledger) expect(new Set(received.map(({ record_sha256 }) => record_sha256)).size).toBe(1);
  expect(new Set(ledger.map(({ code }) => code))).toEqual(new Set(rows.map(({ fiscal_code }) => fiscal_code)));

  const told = (type: string): Set<string> =>
    new Set(receiver.deliveries.filter((delivery) => delivery.body.type === type).map(({ body: { data } }) => data.id));
  await eventually(
    () => ['invoice.created', 'invoice.updated', 'invoice.submitted'].every((type) => told(type).size === INVOICES),
    'every webhook',
    120_000,
  );
  await system.stop();
  await receiver.close();
}, 420_000);
