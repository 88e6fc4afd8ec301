import { snippets } from '../snippets/snippets.ts';
import type { StepName } from './steps.ts';

export const typescript = (api: string): Record<StepName, string> => ({
  key: `const api = process.env['API'] ?? '${api}';
const key = process.env['KEY'] ?? 'svc_test_…';

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(api + path, {
    method,
    headers: { authorization: \`Bearer \${key}\`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(\`\${result.error.code}: \${result.error.message} (\${result.error.request_id})\`);
  return result;
}
`,
  customer: `const customer = await call('POST', '/customers', { name: 'Blue Door Books' });
`,
  invoice: `const invoice = await call('POST', '/invoices', {
  customer_id: customer.id,
  items: [{ description: 'Consulting', quantity: 2, unit_price: '50.25', tax_rate: 20 }],
});
`,
  submit: `const submitted = await call('POST', \`/invoices/\${invoice.id}/submit\`, undefined, { prefer: 'wait=10' });
console.log('fiscal code:', submitted.fiscal_code);
`,
  webhook: `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

${snippets.typescript.service}
const url = process.env['WEBHOOK_URL'] ?? 'http://127.0.0.1:9000/hook';
const endpoint = await call('POST', '/webhooks', { url, events: ['*'] });
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(body, String(request.headers['x-service-signature']), endpoint.secret)) return response.writeHead(401).end();
  response.writeHead(200).end();
  const event = JSON.parse(body.toString());
  if (seen.has(event.id)) return;
  seen.add(event.id);
  console.log('event:', event.type);
  if (event.type === 'customer.updated') server.close();
}).listen(Number(new URL(url).port));

await call('PATCH', \`/customers/\${customer.id}\`, { phone: '+44 20 7946 0000' });
`,
});
