// The lower bound of a request's cost: bare Fastify with Ajv and its compiled serializer, no store. With SQLITE=path one durable
// transaction per request. GET returns a constant invoice.
import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';
import { invoiceAnswer, invoiceBody } from './shapes.mjs';

const app = fastify();
let write = () => undefined;
if (process.env.SQLITE) {
  const db = new DatabaseSync(process.env.SQLITE);
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)');
  const insert = db.prepare('INSERT INTO t (body) VALUES (?)');
  write = (body) => insert.run(JSON.stringify(body));
}
const kept = {
  id: 'inv_1',
  object: 'invoice',
  status: 'draft',
  created_at: new Date().toISOString(),
  total: 361.8,
  customer_id: 'cust_1',
  items: Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20, amount: 100.5 }),
};
app.post('/v1/invoices', { schema: { body: invoiceBody, response: { 201: invoiceAnswer } } }, (request, reply) => {
  const answer = {
    ...kept,
    items: request.body.items.map((item) => ({ ...item, amount: item.quantity * item.unit_price })),
    customer_id: request.body.customer_id,
  };
  write(answer);
  reply.code(201).send(answer);
});
app.get('/v1/invoices/:id', { schema: { response: { 200: invoiceAnswer } } }, () => kept);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
