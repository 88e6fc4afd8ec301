// The main job: customer, invoice, fiscal code, signed webhook, list, report.
import { createServer } from 'node:http';
import { verifyWebhook } from '@svc/client';
import { listen, promised, say, sleep, startProduct, until } from './product.mjs';

/** Runs it. `callOf`: what sends a request of the product and answers the body of the answer. Throws where a step is not as promised. */
export async function mainJob(callOf) {
  const deliveries = [];
  /** A webhook receiver: verifies the signature over the raw bytes and answers at once. */
  const subscriber = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(200).end();
    });
  });
  const origin = `http://127.0.0.1:${await listen(subscriber)}`;
  let product;
  try {
    product = await startProduct({ settings: { WEBHOOKS_ALLOW: origin } });
    await steps(callOf(product), { origin, deliveries });
  } finally {
    await product?.stop();
    subscriber.closeAllConnections();
    subscriber.close();
  }
}

async function steps(call, { origin, deliveries }) {
  const endpoint = await call('POST', '/webhooks', {
    url: `${origin}/hook`,
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
  const [sum] = report.totals;
  say(`7. Sales this month: ${sum.documents} document, EUR ${sum.total.toFixed(2)}, of which tax ${sum.tax_total.toFixed(2)}.`);
}
