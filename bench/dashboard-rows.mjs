// What the folder of `dashboard` has beside its invoices, so that lists have a 500th page: customers, products and receipts by the interface, entries of the audit and
// deliveries as rows.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { auditRows } from '@svc/gateway/audit/store';
import { createIds, iso, prefixed, systemClock as clock } from '@svc/kernel';
import { deliveryId } from '@svc/webhooks-dispatcher/delivery/delivery';
import { deliveriesIn } from '@svc/webhooks-dispatcher/delivery/hours';
import { atRest, each, open } from './load.mjs';
import { sendJson, startProduct, UNLIMITED } from './server.mjs';

const CUSTOMERS = Number(process.env.BENCH_CATALOG ?? 10_000);
const [ROWS, PRODUCTS] = [10_200, 24];
const AT_ONCE = 500;
const YEARS_MS = 10 * 365 * 24 * 3_600_000;

/** Adds what an earlier run has not. Answers the id of the endpoint, and how many customers there are. */
export async function addRows(folder) {
  const file = join(folder, `rows-${CUSTOMERS}.json`);
  if (!existsSync(file)) {
    const server = await startProduct(folder);
    const { id: endpoint } = await server.call('/webhooks', { url: 'https://example.com/hook', events: ['receipt.voided'] });
    await addCustomers(server);
    await server.stop();
    await addToStores(server, endpoint);
    writeFileSync(file, JSON.stringify({ endpoint, customers: CUSTOMERS }));
  }
  const sold = join(folder, 'receipts.json');
  if (!existsSync(sold)) {
    const server = await startProduct(folder);
    await addReceipts(server, folder);
    await server.stop();
    writeFileSync(sold, JSON.stringify({ receipts: ROWS }));
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Each has a name of its own, an e-mail and a tax id. */
async function addCustomers(server) {
  console.error(`adding ${CUSTOMERS} customers …`);
  const api = open(server);
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => ({
    name: `Customer Name${n} of Town${n % 977}`,
    email: `person${n}@bench.example`,
    tax_id: `K${String(n).padStart(8, '0')}`,
  }));
  await each(customers, (customer) => api.post('/v1/customers', customer));
  await api.close();
}

async function addReceipts(server, folder) {
  console.error(`adding ${ROWS} receipts …`);
  const { admin_token: token } = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8'));
  const limits = { ...UNLIMITED, receipts: UNLIMITED.submit };
  await sendJson(`${server.ops}/admin/accounts/${server.account}`, token, { limits }, 'PATCH');
  const api = open(server);
  const named = Array.from({ length: PRODUCTS }, (_, n) => ({
    name: `Bench product ${n + 1}`,
    unit_price: n + 1,
    currency: 'EUR',
    tax_rate: 20,
  }));
  await each(named, (product) => api.post('/v1/products', product));
  const receipts = Array.from({ length: ROWS }, (_, n) => ({
    items: [{ description: `Tea ${n}`, quantity: 1, unit_price: 1 + (n % 500), tax_rate: 20 }],
    payment_method: 'cash',
  }));
  await each(receipts, (receipt) => api.post('/v1/receipts', receipt));
  await api.close();
  await atRest(server);
}

async function addToStores({ data, account }, endpoint) {
  const engine = Engine.open(data);
  const [gateway, webhooks] = ['svc_gateway', 'svc_webhooks'].map((database) => embeddedDocumentStore(engine, database));
  await inserted(auditRows(gateway), auditEntries(account));
  await inserted(deliveriesIn(webhooks), deliveriesTo(account, endpoint));
  engine.close();
}

async function inserted(rows, docs) {
  for (let at = 0; at < docs.length; at += AT_ONCE) await rows.write(docs.slice(at, at + AT_ONCE).map((insert) => ({ insert })));
}

function auditEntries(account) {
  const ids = createIds(clock);
  const [actor, target] = [
    { type: 'member', id: prefixed('mem', ids.next()) },
    { type: 'api_key', id: prefixed('key', ids.next()), name: 'Web shop' },
  ];
  return Array.from({ length: ROWS }, (_, n) => {
    const id = ids.next();
    const change = {
      id,
      at: iso(clock.now()),
      actor,
      action: 'api_key.updated',
      target,
      changes: { name: { from: `n${n}`, to: `n${n + 1}` } },
    };
    const found = { account, actor_id: actor.id, action: change.action, target_id: target.id };
    return { _id: id, version: 1, ...found, change, due_at: clock.now() + YEARS_MS };
  });
}

function deliveriesTo(account, endpoint_id) {
  const ids = createIds(clock);
  return Array.from({ length: ROWS }, () => {
    const event_id = prefixed('evt', ids.next());
    const attempt = {
      n: 1,
      at: iso(clock.now()),
      duration_ms: 80,
      trigger: 'schedule',
      status_code: 200,
      error: null,
      response_body: '{"taken":true}',
    };
    return {
      ...{ _id: deliveryId(event_id, endpoint_id), version: 1, account, env: 'test', endpoint_id, event_id, event_type: 'receipt.voided' },
      ...{
        resource_id: prefixed('rcp', ids.next()),
        status: 'succeeded',
        due_at: null,
        next_at: null,
        attempts: [attempt],
        subject: null,
        bytes: 900,
      },
    };
  });
}
