import type { RouteName } from '@svc/contracts/routes';
import { eventually, type Call } from '@svc/testkit';
import { admin, openAccount, servedRoutes, type Account } from '../accounts.ts';
import { bodyFor, item, createApiFixture, unknownId, pathIn, type ApiFixture } from '../api-fixture.ts';
import type { Shared } from './shared-system.ts';

interface List {
  data: { id: string }[];
  meta: { total: number };
}

/** No account sees another account's resources. */
export function testTenancy(shared: () => Shared): void {
  let served: RouteName[];
  let ana: Account;
  let ben: Account;
  /** The resources of each account, in the test environment. */
  let anas: ApiFixture;
  let bens: ApiFixture;
  beforeAll(async () => {
    const { system, receiver } = shared();
    served = (await servedRoutes(system)) as RouteName[];
    [ana, ben] = await Promise.all([openAccount(system, 'Ana'), openAccount(system, 'Ben')]);
    [anas, bens] = await Promise.all([
      createApiFixture(system, ana, receiver.origin, served),
      createApiFixture(system, ben, receiver.origin, served),
    ]);
  });

  const ask = (call: Call, name: RouteName, fixture: ApiFixture, more: { headers?: Record<string, string> } = {}) => {
    const method = name.split(' ')[0] as string;
    const body = ['POST', 'PATCH', 'PUT'].includes(method) ? { body: bodyFor(name, fixture) } : {};
    return call<{ error?: { code: string } }>(method, pathIn(name, fixture), { ...body, ...more });
  };
  /** The name of a report is no id. */
  const withId = (): RouteName[] => served.filter((name) => name.includes('{') && !name.includes('{report}'));

  const otherCallers: [string, () => Call][] = [
    ['another account’s key', () => ben.test],
    ['another account’s key of the other environment', () => ben.live],
    ['the same account’s key of the other environment', () => ana.live],
  ];

  test.each(otherCallers)('every route with an id answers 404 to %s', async (_, call) => {
    expect(withId().length).toBeGreaterThan(20);
    const seen: string[] = [];
    for (const name of withId()) {
      const { status, body } = await ask(call(), name, anas);
      seen.push(`${name}: ${status} ${body.error?.code ?? ''}`);
    }
    expect(seen).toEqual(withId().map((name) => `${name}: 404 not_found`));
  });

  test('the links of a suspended account do not open within 5 s, in whatever form they are written', async () => {
    const { system } = shared();
    const [one, other] = await Promise.all([openAccount(system, 'Closing'), openAccount(system, 'Staying')]);
    const linkOf = async ({ test: call }: Account) => {
      const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
      const { body: invoice } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
      const { pathname } = new URL((await call<{ url: string }>('GET', `/invoices/${invoice.id}/pdf`)).body.url);
      return `${system.url}${pathname}`;
    };
    const [link, control] = await Promise.all([linkOf(one), linkOf(other)]);
    const status = async (url: string) => (await fetch(url)).status;
    expect([await status(link), await status(control)]).toEqual([200, 200]);
    await admin(system)('PATCH', `/accounts/${one.id}`, { body: { suspended: true } });
    await eventually(async () => (await status(link)) === 404, 'the end of the link');
    expect(await status(link.replace('invoicing.', 'invoicing%2e').replace('/files', '/%66iles'))).toBe(404);
    expect(await status(control)).toBe(200);
    await admin(system)('PATCH', `/accounts/${one.id}`, { body: { suspended: false } });
    await eventually(async () => (await status(link)) === 200, 'the link again');
  });

  test('If-Match does not reveal that a resource exists', async () => {
    for (const name of withId().filter((route) => /^(PATCH|DELETE) \/\w+\/\{id\}$/.test(route)))
      for (const version of ['"1"', '"999"'])
        expect([name, (await ask(ben.test, name, anas, { headers: { 'if-match': version } })).status]).toEqual([name, 404]);
  });

  test('answers 404 for another account’s second id below an own first one', async () => {
    for (const name of withId().filter((route) => route.includes('{pay}') || route.includes('{whd}'))) {
      const { status } = await ask(ben.test, name, { ...bens, payment: anas.payment, delivery: anas.delivery });
      expect([name, status]).toEqual([name, 404]);
    }
  });

  test('lists, filters and reports never contain another account’s resources', async () => {
    const foreign = Object.values(anas);
    const lists = served.filter((name) => /^GET \/(?:invoices|receipts|customers|products|webhooks|events|api-keys)$/.test(name));
    expect(lists).toEqual(
      expect.arrayContaining(['GET /invoices', 'GET /receipts', 'GET /customers', 'GET /webhooks', 'GET /events', 'GET /api-keys']),
    );
    for (const name of lists) {
      const path = pathIn(name, anas);
      const own = await ana.test<List>('GET', path, { query: { per_page: 100 } });
      expect([name, own.body.meta.total > 0]).toEqual([name, true]);
      for (const call of [ben.test, ben.live, ana.live]) {
        const { text } = await call('GET', path, { query: { per_page: 100 } });
        expect([name, foreign.filter((id) => text.includes(id))]).toEqual([name, []]);
      }
    }
    for (const [path, query] of [
      ['/invoices', { customer_id: anas.customer }],
      ['/receipts', { customer_id: anas.customer }],
      ['/events', { resource_id: anas.invoice }],
    ] as const)
      expect([path, (await ben.test<List>('GET', path, { query })).body.meta.total]).toEqual([path, 0]);
  });

  test('reports count only own documents', async () => {
    const foreign = Object.values(anas);
    const { body: reports } = await ben.test<{ data: { report: string }[] }>('GET', '/reports');
    expect(reports.data.length).toBeGreaterThan(0);
    await eventually(
      async () => (await ana.test('GET', '/reports/sales', { query: { cite: 'true' } })).text.includes(anas.invoice),
      'the report',
    );
    for (const { report } of reports.data)
      for (const [call, total] of [
        [ben.test, undefined],
        [ben.live, 0],
        [ana.live, 0],
      ] as const) {
        const { text, body } = await call<List>('GET', `/reports/${report}`, { query: { cite: 'true' } });
        expect([report, foreign.filter((id) => text.includes(id))]).toEqual([report, []]);
        if (total === 0) expect([report, body.data]).toEqual([report, []]);
      }
  });

  test('answers 422 for a reference to another account’s resource, as for a missing one', async () => {
    const invoice = (change: object) => ({ customer_id: bens.customer, items: [item], ...change });
    const attempts: [RouteName, object, string][] = [];
    for (const fixture of [anas, { ...anas, customer: unknownId('cust'), product: unknownId('prod'), invoice: unknownId('inv') }]) {
      const byProduct = { items: [{ product_id: fixture.product }] };
      attempts.push(
        ['POST /invoices', invoice({ customer_id: fixture.customer }), 'customer_id'],
        ['POST /invoices', invoice({ corrects: fixture.invoice }), 'corrects'],
        ['POST /invoices', invoice(byProduct), 'items.0.product_id'],
        ['POST /invoices/preview', invoice({ customer_id: fixture.customer }), 'customer_id'],
        ['PATCH /invoices/{id}', { customer_id: fixture.customer }, 'customer_id'],
        ['POST /receipts', { items: [item], payment_method: 'cash', customer_id: fixture.customer }, 'customer_id'],
        ['POST /receipts', { ...byProduct, payment_method: 'cash' }, 'items.0.product_id'],
      );
    }
    for (const [name, body, field] of attempts.filter(([route]) => served.includes(route))) {
      const { status, body: answer } = await ben.test<{ error: { code: string; details: object } }>(
        name.split(' ')[0] as string,
        pathIn(name, { ...bens, invoice: bens.draft }),
        { body },
      );
      expect([name, status, answer.error?.code, Object.keys(answer.error?.details ?? {})]).toEqual([
        name,
        422,
        'validation_error',
        expect.arrayContaining([field]),
      ]);
    }
  });

  test('refuses another account’s resources in a batch, entry by entry', async () => {
    const statuses = async (path: string, body: object): Promise<number[]> =>
      (await ben.test<{ data: { status: number }[] }>('POST', path, { body })).body.data.map(({ status }) => status);
    const requests = [anas, bens].map(({ customer }) => ({ customer_id: customer, items: [item] }));
    if (served.includes('POST /invoices/batch')) expect(await statuses('/invoices/batch', { requests })).toEqual([422, 201]);
    if (served.includes('POST /invoices/batch/submit'))
      expect(await statuses('/invoices/batch/submit', { ids: [anas.draft, bens.draft] })).toEqual([404, 200]);
  });

  test('scopes an Idempotency-Key to the account and the environment', async () => {
    const headers = { 'idempotency-key': 'shared-by-chance' };
    const bodies = await Promise.all(
      [ana.test, ben.test, ana.live].map((call) => call<{ id: string }>('POST', '/customers', { body: { name: 'X' }, headers })),
    );
    expect(new Set(bodies.map(({ body: { id } }) => id)).size).toBe(3);
  });

  test('finds every one of them for its owner', async () => {
    const order = (name: string): number =>
      ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'].indexOf(name.split(' ')[0] ?? '') + (name.endsWith('/void') ? 0.5 : 0);
    const missing: string[] = [];
    for (const name of withId().sort((a, b) => order(a) - order(b))) {
      const { status } = await ask(ana.test, name, anas);
      if (status === 404) missing.push(name);
    }
    expect(missing).toEqual([]);
  });
}
