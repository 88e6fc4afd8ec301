// Bare Fastify with Ajv that answers the bytes of the system: POST checks the same request schema and makes its resource for each request, GET has
// one ready; Fastify's compiled serializer writes them, from a schema of all fields. ANSWER: file with the system's answer. With SQLITE=path each is one
// durable row before it is answered: all of a turn in one transaction, whose sync runs in the thread pool. No server that loses nothing does less.
import { fdatasync, openSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
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

let stored = (_answer, then) => then();
if (process.env.SQLITE) {
  const db = new DatabaseSync(process.env.SQLITE);
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)');
  const insert = db.prepare('INSERT INTO t (body) VALUES (?)');
  const wal = openSync(`${process.env.SQLITE}-wal`, 'r+');
  let waiting = [];
  let isBusy = false;
  const commit = () => {
    const turn = waiting;
    waiting = [];
    db.exec('BEGIN');
    for (const { answer } of turn) insert.run(JSON.stringify(answer));
    db.exec('COMMIT');
    fdatasync(wal, (error) => {
      if (error) throw error;
      for (const { then } of turn) then();
      isBusy = waiting.length > 0;
      if (isBusy) setImmediate(commit);
    });
  };
  stored = (answer, then) => {
    waiting.push({ answer, then });
    if (!isBusy) setImmediate(commit);
    isBusy = true;
  };
}

const app = fastify();
const options = {
  schema: { body: {}, response: { 201: response } },
  validatorCompiler: () => validatorOf(routes['POST /invoices'].body),
};
app.post('/v1/invoices', options, (request, reply) => {
  const answer = made(request.body);
  stored(answer, () => reply.code(201).send(answer));
});
app.get('/v1/invoices/:id', { schema: { response: { 200: response } } }, () => invoice);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
