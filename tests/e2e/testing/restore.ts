import { client, eventually, startReceiver, type Call } from '@svc/testkit';
import { deliveredIds, readLedger } from './exactly-once.ts';
import { everything, sleep, type Invoice } from './retrying-client.ts';
import { certificate } from './tour.ts';

/** A system that is backed up, lost and restored. Its origins may change when it is restored. */
export interface Restorable {
  origin(): string;
  ops(): string;
  /** The operators' port of fiscal-submission. */
  chainsOps(): string;
  simulator(): string;
  testKey: string;
  /** The bearer token of the operators' port. */
  opsToken: string;
  backUp(): Promise<void>;
  /** Ends it as a crash does, and starts it on what the backup holds. */
  loseAndRestore(): Promise<void>;
  /** The number of documents of each collection: `svc_gateway.audit`. */
  counts(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

interface Series {
  series: string;
  open: boolean;
  last: number | null;
}

const SETTLED_MS = 3_000;
/** What begins anew: work under way, limits, deliveries, counts of what is removed within a month. Of every other collection, restored or rebuilt, nothing is lost. */
const ANEW = [
  'svc_fiscal_submission.submissions',
  'svc_gateway.kept_bytes',
  'svc_gateway.limits',
  'svc_invoicing.unfinished',
  'svc_webhooks.deliveries',
  'svc_webhooks.stored_bytes',
];

/**
 * Defines the tests of a restore from a backup that is older than the last registered number. `start` gets the origin of a subscriber that
 * webhooks may be sent to.
 */
export function testRestore(start: (subscriber: string) => Promise<Restorable>): void {
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let system: Restorable;
  beforeAll(async () => {
    receiver = await startReceiver();
    system = await start(receiver.origin);
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  const call: Call = (...request) => client(`${system.origin()}/v1`, system.testKey)(...request);
  const operator: Call = (...request) => client(`${system.ops()}/admin`, system.opsToken)(...request);
  const waiting = { prefer: 'wait=20' };
  const submit = (id: string) => call<Invoice & { error?: { code: string } }>('POST', `/invoices/${id}/submit`, { headers: waiting });
  const create = async (customer: string, key: string): Promise<string> => {
    const body = { customer_id: customer, items: [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }] };
    return (await call<{ id: string }>('POST', '/invoices', { body, headers: { 'idempotency-key': key } })).body.id;
  };
  const submitted = async (customer: string, key: string): Promise<Invoice> => {
    const { body } = await submit(await create(customer, key));
    expect(body.fiscal_code).toEqual(expect.any(String));
    return body;
  };
  const subjects = (): Promise<Set<string>> =>
    everything<{ data: { id: string } }>(call, '/events').then((events) => new Set(events.map(({ data }) => data.id)));
  const sales = async (): Promise<{ documents: number; total: number }[]> => {
    const { body } = await call<{ totals: { documents: number; total: number }[] }>('GET', '/reports/sales', {
      query: { from: '2020-01-01', to: '2099-12-31' },
    });
    return body.totals.map(({ documents, total }) => ({ documents, total }));
  };

  let customer: string;
  let kept: Invoice[];
  let draft: string;
  let lost: Invoice;
  let fingerprint: string;
  let delivered: number;
  let counted: Record<string, number>;

  test('is backed up while it serves; more is registered after the backup', async () => {
    const hook = { url: `${receiver.origin}/hook`, events: ['*'], description: 'all' };
    expect((await call('POST', '/webhooks', { body: hook })).status).toBe(201);
    customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books', email: 'ana@example.com' } })).body.id;
    kept = [await submitted(customer, 'first'), await submitted(customer, 'second')];
    draft = await create(customer, 'draft');
    const file = { certificate: certificate(), passphrase: 'test-only' };
    fingerprint = (await call<{ fingerprint: string }>('PUT', '/fiscal-credentials', { body: file })).body.fingerprint;
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    await eventually(() => deliveredIds(receiver.deliveries, 'invoice.submitted').size === 2, 'webhooks');
    counted = await system.counts();
    await system.backUp();
    lost = await submitted(customer, 'lost');
    expect(lost.number).toMatch(/000003$/);
    await eventually(() => deliveredIds(receiver.deliveries, 'invoice.submitted').size === 3, 'webhooks');
    delivered = receiver.deliveries.length;
  });

  test('has after the restore what the backup held: keys work, lists and reports stand, personal data is readable', async () => {
    await system.loseAndRestore();
    expect((await call<{ email: string }>('GET', `/customers/${customer}`)).body.email).toBe('ana@example.com');
    expect((await call<object>('GET', '/fiscal-credentials')).body).toMatchObject({ fingerprint });
    await eventually(async () => (await everything<Invoice>(call, '/invoices')).length === 3, 'the list', 60_000);
    const invoices = await everything<Invoice>(call, '/invoices');
    expect(new Map(invoices.map(({ id, number }) => [id, number]))).toEqual(
      new Map([...kept.map(({ id, number }): [string, string | null] => [id, number]), [draft, null]]),
    );
    for (const { id, fiscal_code } of kept) expect((await call<Invoice>('GET', `/invoices/${id}`)).body.fiscal_code).toBe(fiscal_code);
    expect((await call('GET', `/invoices/${lost.id}`)).status).toBe(404);
    await eventually(async () => (await sales())[0]?.documents === 2, 'the report', 60_000);
    expect(await sales()).toEqual([{ documents: 2, total: 240 }]);
  });

  test('has every document of every collection that a backup holds, or has made it again', async () => {
    const missing = async (): Promise<string[]> => {
      const now = await system.counts();
      return Object.entries(counted).flatMap(([name, count]) =>
        ANEW.includes(name) || (now[name] ?? 0) >= count ? [] : [`${name}: ${now[name] ?? 0} of ${count}`],
      );
    };
    await eventually(async () => (await missing()).length === 0, 'all collections', 60_000).catch(() => undefined);
    expect(await missing()).toEqual([]);
    expect(Object.entries(counted).filter(([, count]) => count > 0)).not.toEqual([]);
  });

  test('lists events of before the restore, and does not deliver them', async () => {
    const before = [customer, draft, ...kept.map(({ id }) => id)];
    await eventually(() => subjects().then((listed) => before.every((id) => listed.has(id))), 'every event', 60_000);
    await sleep(SETTLED_MS);
    expect(receiver.deliveries).toHaveLength(delivered);
  });

  test('takes no number until an operator has raised the series beyond what the authority knows', async () => {
    const refused = await submit(draft);
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'service_unavailable']);
    expect((await call<Invoice>('GET', `/invoices/${draft}`)).body.status).toBe('draft');
    const { body } = await operator<{ data: Series[] }>('GET', '/series');
    expect(body.data).toEqual([expect.objectContaining({ open: false, last: 2 })]);
    const [{ series }] = body.data as [Series];
    expect((await operator('POST', '/series/raise', { body: { series, last: 1, confirm: true } })).status).toBe(422);
    const ledger = await readLedger(system.simulator());
    const last = Math.max(...ledger.map(({ document_number }) => Number(document_number.slice(-6))));
    const plan = await operator('POST', '/series/raise', { body: { series, last } });
    expect(plan.body).toMatchObject({ open: false, last: 2, skips: 1, next: 4 });
    expect((await submit(draft)).status).toBe(503);
    const raised = await operator('POST', '/series/raise', { body: { series, last, confirm: true } });
    expect(raised.body).toMatchObject({ open: true, last, next: 4 });
  });

  test('then numbers behind it, registers and delivers', async () => {
    const { status, body } = await submit(draft);
    expect([status, body.number.slice(-6), typeof body.fiscal_code]).toEqual([200, '000004', 'string']);
    await eventually(
      () => receiver.deliveries.some(({ body: event }) => event.type === 'invoice.submitted' && event.data.id === draft),
      'the webhook',
    );
    expect(new Set(receiver.deliveries.slice(delivered).map(({ body: event }) => event.data.id))).toEqual(new Set([draft]));
    const ledger = await readLedger(system.simulator());
    expect(ledger.map(({ document_number }) => document_number.slice(-6)).sort()).toEqual(['000001', '000002', '000003', '000004']);
    expect(ledger.filter(({ received }) => new Set(received.map(({ record_sha256 }) => record_sha256)).size !== 1)).toEqual([]);
  });

  test('the certificate of numbers has the skipped number as a gap, and says why', async () => {
    const certified = () => call<{ complete: boolean; gaps: object[]; data: { seq: number }[] }>('GET', '/reports/numbering');
    await eventually(async () => (await certified()).body.data.some(({ seq }) => seq === 4), 'the number in the report', 60_000);
    const { complete, gaps, data } = (await certified()).body;
    expect([complete, data.map(({ seq }) => seq)]).toEqual([false, [1, 2, 4]]);
    expect(gaps).toEqual([{ series_key: expect.stringMatching(/^INV\./), from_seq: 3, to_seq: 3, reason: 'restored' }]);
  });

  test('a request of before the restore that is repeated makes nothing twice, and makes again what was lost', async () => {
    expect(await create(customer, 'first')).toBe(kept[0]?.id);
    const again = await create(customer, 'lost');
    expect((await call<Invoice>('GET', `/invoices/${again}`)).body.status).toBe('draft');
    const made = () => receiver.deliveries.filter(({ body: event }) => event.type === 'invoice.created' && event.data.id === again);
    await eventually(() => made().length === 1, 'its webhook, as of a new invoice');
  });

  test('a backup of after the restore, restored in its turn, has the series closed again and delivers nothing again', async () => {
    const before = receiver.deliveries.length;
    await system.backUp();
    await system.loseAndRestore();
    const another = await create(customer, 'another');
    expect((await submit(another)).body.error?.code).toBe('service_unavailable');
    const { body } = await operator<{ data: Series[] }>('GET', '/series');
    expect(body.data).toEqual([expect.objectContaining({ open: false, last: 4 })]);
    await sleep(SETTLED_MS);
    expect(receiver.deliveries.slice(before).filter(({ body: event }) => event.data.id !== another)).toEqual([]);
  });

  test('a chain of records is closed until an operator restarts it; what was numbered meanwhile is then its first record', async () => {
    const chains: Call = (...request) => client(`${system.chainsOps()}/admin`, system.opsToken)(...request);
    const listed = async (): Promise<{ chain: string }[]> => (await chains<{ data: { chain: string }[] }>('GET', '/chains')).body.data;
    // The simulator of Spain refuses a certificate that it has not issued, and has one for issuers without.
    expect((await call('DELETE', '/fiscal-credentials')).status).toBeLessThan(300);
    expect((await call('PATCH', '/issuer', { body: { authority: 'es-verifactu' } })).status).toBe(200);
    const buyer = { name: 'Libros SL', tax_id: 'B12345674', address: { country: 'ES' } };
    const buyerId = (await call<{ id: string }>('POST', '/customers', { body: buyer })).body.id;
    const items = [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 21 }];
    const { id } = (await call<{ id: string }>('POST', '/invoices', { body: { customer_id: buyerId, items } })).body;
    await submit(id);
    const { body } = await operator<{ data: Series[] }>('GET', '/series');
    for (const { series } of body.data) await operator('POST', '/series/raise', { body: { series, last: 1_000, confirm: true } });
    expect((await submit(id)).body.number).toMatch(/1001$/);
    await eventually(async () => (await listed()).length === 1, 'the chain that it waits for', 30_000);
    const [{ chain }] = (await listed()) as [{ chain: string }];
    expect((await call<Invoice>('GET', `/invoices/${id}`)).body.fiscal_code).toBeNull();
    expect((await chains('POST', '/chains/restart', { body: { chain } })).body).toMatchObject({ done: false });
    expect((await chains('POST', '/chains/restart', { body: { chain, confirm: true } })).body).toMatchObject({ done: true });
    const issued = () => call<{ fiscal_code: string | null }>('GET', `/invoices/${id}`);
    await eventually(async () => (await issued()).body.fiscal_code !== null, 'its code', 100_000).catch(async (error: unknown) => {
      throw new Error(`${String(error)}; it is ${(await issued()).text}`);
    });
    expect(await listed()).toEqual([]);
  });
}
