// One rebuild of the invoices' read model from the events of a folder, as a process of its own: `node rebuild.mjs system|loop <folder> <round>`. Prints its seconds,
// its processor time and its rows as JSON. `loop` is the least that does the same: it reads the rows of events in batches, folds them by the same function,
// and writes documents with the same indexes, a transaction for each batch.
import 'reflect-metadata';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine, Phrases } from '@svc/embedded';
import { metadataOf } from '@svc/embedded/packing/short-metadata';
import { createProjections, embeddedEventStore, encryptedEventStore } from '@svc/event-store';
import { invoicesProjection } from '@svc/invoicing/invoice/invoices';
import { systemClock as clock, versionAt } from '@svc/kernel';
import { createLogger } from '@svc/service';

const [kind, folder, round] = process.argv.slice(2);
const BATCH = 1_000;
const WITHIN_MS = 4 * 3_600_000;

async function system() {
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const engine = Engine.open(folder);
  const documents = embeddedDocumentStore(engine, 'bench');
  const keys = { forWriting: () => Promise.reject(new Error('only reads')), forReading: async () => undefined };
  const store = encryptedEventStore(embeddedEventStore(engine, clock, logger), keys, logger);
  const [checkpoints, leases] = ['checkpoints', 'leases'].map((name) => documents.collection(name));
  const projections = createProjections(documents, { service: 'bench', store, checkpoints, leases, holder: 'bench', clock, logger });
  const { rows, subscription } = projections.start({ ...invoicesProjection, name: `invoices_${round}` });
  if (!(await subscription.waitFor(await store.head(), WITHIN_MS))) throw new Error('not rebuilt in time');
  await subscription.stop();
  const count = await rows.count({});
  engine.close();
  return count;
}

function loop() {
  const events = new DatabaseSync(join(folder, 'data.sqlite'), { readOnly: true });
  const db = new DatabaseSync(join(folder, `loop-${round}.sqlite`));
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32768; PRAGMA wal_autocheckpoint=4000');
  const indexes = [...invoicesProjection.indexes, { fields: ['account', 'env', 'ordinal'], unique: true }];
  const fields = [...new Set(indexes.flatMap((index) => index.fields))];
  db.exec(`CREATE TABLE docs (_id TEXT PRIMARY KEY, version INTEGER, body TEXT, resource TEXT, ${fields.join()})`);
  indexes.forEach((index, n) => db.exec(`CREATE ${index.unique ? 'UNIQUE' : ''} INDEX i${n} ON docs (${index.fields.join()})`));
  const phrases = Phrases.of(events);
  const read = events.prepare('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT CAST(? AS INTEGER)');
  const get = db.prepare('SELECT body FROM docs WHERE _id = ?');
  const changed = ['version', 'body', 'resource', ...fields].map((column) => `${column} = excluded.${column}`);
  const put = db.prepare(
    `INSERT INTO docs VALUES (?, ?, ?, ?, ${fields.map(() => '?').join()}) ON CONFLICT DO UPDATE SET ${changed.join()}`,
  );
  const names = new Map(
    events
      .prepare('SELECT code, name FROM names')
      .all()
      .map(({ code, name }) => [String(code), name]),
  );
  const ordinals = new Map();
  for (let position = 0, batch = read.all(position, BATCH); batch.length > 0; batch = read.all(position, BATCH)) {
    position = batch.at(-1).position;
    const rows = new Map();
    for (const row of batch) {
      const [category, account, id] = row.stream.split('.');
      const event = { ...row, stream: `${names.get(category)}.${names.get(account)}.${id}`, type: names.get(row.type) };
      if (!event.stream.startsWith(`${invoicesProjection.category}-`)) continue;
      if (!rows.has(id)) rows.set(id, JSON.parse(get.get(id)?.body ?? 'null') ?? undefined);
      const known = rows.get(id);
      if (known?.version >= versionAt(BigInt(event.revision))) continue;
      const [data, metadata] = [JSON.parse(phrases.unpack(event.data)), metadataOf(event.stream, event.metadata)];
      const recorded = { ...event, revision: BigInt(event.revision), data, metadata };
      const state = invoicesProjection.evolve(known?.state ?? null, recorded);
      const next = invoicesProjection.row(state, recorded);
      const tenant = next.account + next.env;
      const ordinal = known?.ordinal ?? (ordinals.get(tenant) ?? 0) + 1;
      if (!known) ordinals.set(tenant, ordinal);
      rows.set(id, { ...next, ordinal, state, resource: invoicesProjection.resource(state, recorded) });
    }
    db.exec('BEGIN');
    for (const { resource, ...row } of rows.values()) {
      const values = fields.map((field) => row[field] ?? null);
      put.run(row._id, row.version, JSON.stringify(row), JSON.stringify(resource), ...values);
    }
    db.exec('COMMIT');
  }
  const { n } = db.prepare('SELECT count(*) AS n FROM docs').get();
  db.close();
  return n;
}

const [began, cpu] = [performance.now(), process.cpuUsage()];
const rows = await (kind === 'system' ? system() : loop());
const { user, system: kernel } = process.cpuUsage(cpu);
console.log(JSON.stringify({ rows, seconds: (performance.now() - began) / 1000, cpuSeconds: (user + kernel) / 1e6 }));
