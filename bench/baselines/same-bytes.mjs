// Bare Fastify with Ajv that answers the bytes of the system: POST checks the same request schema and makes its resource for each request, GET has
// one ready; Fastify's compiled serializer writes them, from a schema of all fields. ANSWER: file with the system's answer.
import { readFileSync } from 'node:fs';
import { routes } from '@svc/contracts/routes';
import { validatorOf } from '@svc/contracts/schema/ajv';
import fastify from 'fastify';
import { schemaOfValue } from './shapes.mjs';

const invoice = JSON.parse(readFileSync(process.env.ANSWER, 'utf8'));
const [line] = invoice.items;
const [tax] = line.taxes;
const response = schemaOfValue(invoice);

function made({ customer_id, currency, items }) {
  const at = new Date().toISOString();
  return {
    ...invoice,
    customer_id,
    currency,
    items: items.map(({ tax_rate: rate, ...item }) => ({ ...line, ...item, taxes: [{ ...tax, rate }] })),
    created_at: at,
    updated_at: at,
  };
}

const app = fastify();
const options = {
  schema: { body: {}, response: { 201: response } },
  validatorCompiler: () => validatorOf(routes['POST /invoices'].body),
};
app.post('/v1/invoices', options, (request, reply) => void reply.code(201).send(made(request.body)));
app.get('/v1/invoices/:id', { schema: { response: { 200: response } } }, () => invoice);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
