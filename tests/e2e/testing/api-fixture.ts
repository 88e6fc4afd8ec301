import type { RouteName } from '@svc/contracts/routes';
import { eventually, type Answer, type System } from '@svc/testkit';
import { openKey, type Account } from './accounts.ts';

/** One resource of each kind, in the test environment of one account. */
export interface ApiFixture {
  customer: string;
  product: string;
  /** Submitted, with a payment. */
  invoice: string;
  draft: string;
  payment: string;
  receipt: string;
  webhook: string;
  delivery: string;
  event: string;
  key: string;
  /** Code of a till. */
  device: string;
}

type Made = { id: string };
/** A well-formed id of no resource. */
export const unknownId = (prefix: string): string => `${prefix}_01${'0'.repeat(24)}`;

export const item = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };

async function made(answer: Promise<Answer<Made>>, status = 201): Promise<string> {
  const { status: seen, body, text } = await answer;
  if (seen !== status) throw new Error(`${status} expected, ${seen} seen: ${text}`);
  return body.id;
}

interface Delivered {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
}

/**
 * Creates a fixture. Resources that the system does not serve yet get an unknown id. `origin`: of a subscriber that the system may call.
 */
export async function createApiFixture(system: System, account: Account, origin: string, served: readonly string[]): Promise<ApiFixture> {
  const call = account.test;
  const has = (name: RouteName): boolean => served.includes(name);
  const webhook = await made(call<Made>('POST', '/webhooks', { body: { url: `${origin}/hook`, events: ['*'], description: 'all' } }));
  const customer = await made(call<Made>('POST', '/customers', { body: { name: 'Blue Door Books', email: 'books@bluedoor.example' } }));
  const product = has('POST /products')
    ? await made(call<Made>('POST', '/products', { body: { name: 'Hour', unit_price: 80, tax_rate: 20 } }))
    : unknownId('prod');
  const draft = await made(call<Made>('POST', '/invoices', { body: { customer_id: customer, items: [item] } }));
  const invoice = await made(call<Made>('POST', '/invoices', { body: { customer_id: customer, items: [item] } }));
  const { body: submitted } = await call<{ status: string }>('POST', `/invoices/${invoice}/submit`, { headers: { prefer: 'wait=20' } });
  if (submitted.status !== 'submitted') throw new Error(`the invoice is ${submitted.status}`);
  const payment = has('POST /invoices/{id}/payments')
    ? await made(call<Made>('POST', `/invoices/${invoice}/payments`, { body: { amount: 10, paid_at: '2026-01-02' } }))
    : unknownId('pay');
  const receipt = await made(
    call<Made>('POST', '/receipts', { body: { items: [item], payment_method: 'cash' }, headers: { prefer: 'wait=20' } }),
  );
  const { id: delivery, event_id: event } = await eventually(async () => {
    const { body } = await call<{ data: Delivered[] }>('GET', `/webhooks/${webhook}/deliveries`);
    const [ofInvoice, ofReceipt] = ['invoice.submitted', 'receipt.created'].map((type) =>
      body.data.find(({ status, event_type }) => status === 'succeeded' && event_type === type),
    );
    return ofReceipt && ofInvoice;
  }, 'both documents, delivered');
  const { id: key } = await openKey(system, account);
  // Of no other account; last, because receipts name a till where there is one.
  const device = `T${customer.slice(-8)}`;
  await made(call<Made>('PATCH', '/issuer', { body: { units: [{ code: 'U1', devices: [device] }] } }), 200);
  return { customer, product, invoice, draft, payment, receipt, webhook, delivery, event, key, device };
}

const owners: Record<string, keyof ApiFixture> = {
  invoices: 'invoice',
  receipts: 'receipt',
  customers: 'customer',
  products: 'product',
  webhooks: 'webhook',
  events: 'event',
  'api-keys': 'key',
};

/** The path of a route with the fixture's ids. */
export function pathIn(name: string, fixture: ApiFixture): string {
  const path = name.slice(name.indexOf(' ') + 1);
  const kind = owners[path.split('/')[1] ?? ''];
  return path
    .replace('{id}', () => (kind ? fixture[kind] : 'unknown'))
    .replace('{pay}', fixture.payment)
    .replace('{whd}', fixture.delivery)
    .replace('{code}', fixture.device)
    .replace('{report}', 'sales');
}

/** A valid body for each route with a body. */
export function bodyFor(name: RouteName, { customer, draft }: ApiFixture): Record<string, unknown> {
  const invoice = { customer_id: customer, currency: 'EUR', items: [{ ...item, discounts: [{ percent: 10 }] }], metadata: { order: '7' } };
  const someone = { name: 'Ana Prela', email: 'ana@prela.example', address: { line1: 'Rruga 1', city: 'Tirana', country: 'AL' } };
  const thing = { name: 'Hour', unit: 'HUR', unit_price: '80.00', taxes: [{ rate: 20, code: 'S' }] };
  const resolution = { outcome: 'not_registered', note: 'The authority has never seen it.' };
  const bodies: Partial<Record<RouteName, Record<string, unknown>>> = {
    'POST /invoices': invoice,
    'POST /invoices/preview': invoice,
    'POST /invoices/batch': { requests: [invoice, { customer_id: customer, items: [item] }] },
    'POST /invoices/batch/submit': { ids: [draft] },
    'PATCH /invoices/{id}': { metadata: { colour: 'blue' } },
    'POST /invoices/{id}/submit': { late_reason: 'No network' },
    'POST /invoices/{id}/void': { reason: 'Wrong customer' },
    'POST /invoices/{id}/payments': { amount: '1.50', paid_at: '2026-01-03', method: 'card', reference: 'R-1' },
    'POST /invoices/{id}/resolve': resolution,
    'POST /receipts': { items: [item], payments: [{ method: 'cash', amount: 100.5 }], metadata: { till: '1' } },
    'POST /receipts/{id}/resubmit': {},
    'POST /receipts/{id}/void': { reason: 'Returned goods' },
    'POST /receipts/{id}/resolve': resolution,
    'POST /customers': someone,
    'POST /customers/batch': { requests: [someone, { name: 'Two' }] },
    'PATCH /customers/{id}': { phone: '+355 4 1', address: { city: 'Durres' } },
    'POST /customers/{id}/erase': {},
    'POST /products': thing,
    'POST /products/batch': { requests: [thing] },
    'PATCH /products/{id}': { description: 'An hour of work' },
    'PATCH /issuer': { trade_name: 'Shop', units: [{ code: 'U1', devices: ['D1'] }], operators: [{ code: 'O1', name: 'Op' }] },
    'POST /issuer/devices/{code}/register': { unit: 'U1' },
    'PUT /fiscal-credentials': { certificate: 'AAAA', passphrase: 'x' },
    'POST /fiscal-credentials/check': {},
    'POST /fiscal-credentials/activate': {},
    'POST /webhooks': { url: 'https://hooks.example.com/in', events: ['invoice.submitted'], description: 'Shop' },
    'PATCH /webhooks/{id}': { description: 'All of them', events: ['*'] },
    'POST /webhooks/{id}/rotate-secret': { grace_period_seconds: 60 },
    'POST /webhooks/{id}/test': { event_type: 'invoice.created' },
    'POST /webhooks/{id}/enable': {},
    'POST /webhooks/{id}/recover': {
      since: new Date(Date.now() - 3_600_000).toISOString(),
      event_types: ['invoice.created'],
      dry_run: true,
    },
    'POST /webhooks/{id}/deliveries/{whd}/redeliver': {},
    'POST /api-keys/rotate': { grace_period_seconds: 3600 },
    'PATCH /api-keys/{id}': { name: 'Till' },
  };
  const body = bodies[name];
  if (!body) throw new Error(`there is no body for ${name} in api-fixture.ts: add one`);
  return body;
}
