// From a customer to a credit note, with types that are generated from the product's own OpenAPI document (see ../README.md).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type InvoiceEvent = components['schemas']['InvoiceEvent'];

const { API = 'http://localhost:3000/v1', KEY = '', WEBHOOK_URL = 'http://127.0.0.1:9000/hook' } = process.env;
const api = createClient<paths>({ baseUrl: API, headers: { authorization: `Bearer ${KEY}` } });

/** The answer's data; ends the program with the error's words. */
function done<T>({ data, error }: { data?: T; error?: components['schemas']['Error'] }): T {
  if (data === undefined) throw new Error(`${error?.error.code}: ${error?.error.message} (${error?.error.request_id})`);
  return data;
}

/** body: the bytes as received, before any JSON parser. */
function isGenuine(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// The endpoint that receives events. Only genuine ones are accepted.
const endpoint = done(await api.POST('/webhooks', { body: { url: WEBHOOK_URL, events: ['invoice.submitted'] } }));
const secret = endpoint.secret ?? '';
const { promise: received, resolve: receive } = Promise.withResolvers<InvoiceEvent>();
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const genuine = isGenuine(body, String(request.headers['x-service-signature']), secret);
  response.writeHead(genuine ? 200 : 401).end();
  if (genuine) receive(JSON.parse(body.toString()) as InvoiceEvent);
}).listen(Number(new URL(WEBHOOK_URL).port), '127.0.0.1');

const customer = done(await api.POST('/customers', { body: { name: 'Blue Door Books' } }));

// An amount can be a number or, exact in every language, a string.
const items = [{ description: 'Consulting', quantity: 2, unit_price: '50.25', tax_rate: 20 }];
const draft = done(await api.POST('/invoices', { body: { customer_id: customer.id, items } }));

/** Waits for the authority's answer at most 10 seconds. */
const submit = async (id: string) =>
  done(await api.POST('/invoices/{id}/submit', { params: { path: { id }, header: { Prefer: 'wait=10' } } }));
const invoice = await submit(draft.id);
const event = await received;
server.close();

const credit = { customer_id: customer.id, type: 'credit_note', corrects: invoice.id } as const;
const creditNote = await submit(done(await api.POST('/invoices', { body: { ...credit, items: [{ ...items[0], quantity: 1 }] } })).id);

// Pages: until the last one.
for (let n = 1; n <= 4; n += 1) done(await api.POST('/customers', { body: { name: `Customer ${n}` } }));
const ids: string[] = [];
let pages = 0;
for (let last = 1; pages < last;) {
  pages += 1;
  const list = done(await api.GET('/customers', { params: { query: { page: pages, per_page: 2 } } }));
  ids.push(...list.data.map(({ id }) => id));
  last = list.meta.last_page;
}

// Errors: the code decides, `issues` names the fields.
const wrong = await api.POST('/invoices', { body: { customer_id: customer.id, items: [{ unit_price: 'much' }] } });
const [issue] = wrong.error?.error.issues ?? [];
const late = await api.PATCH('/invoices/{id}', { params: { path: { id: invoice.id }, header: { 'If-Match': '"99"' } }, body: {} });

console.log(
  JSON.stringify({
    invoice: invoice.id,
    number: invoice.number,
    total: invoice.total,
    fiscal_code: invoice.fiscal_code,
    event: event.type,
    event_number: event.data.number,
    credit_note: creditNote.number,
    credit_note_total: creditNote.total,
    customers: ids.length,
    pages,
    error: wrong.error?.error.code,
    field: issue?.field,
    conflict: late.error?.error.code,
  }),
);
