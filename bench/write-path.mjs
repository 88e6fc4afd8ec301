// Row 19: what is written for one draft, and for one invoice until it is registered, without and with one webhook endpoint: rows, index entries, bytes
// of the WAL and of the disk, and JSON texts made. Row 19a: what of it the terms of `q` are. Per invoice, of a thousand on 64 connections. The simulator's ledger is not counted.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, atRest, each, open, shown, sleep } from './load.mjs';
import { startReceiver } from './receiver.mjs';
import { startProduct } from './server.mjs';
import { watchWal, storedIn } from './stored.mjs';

const [INVOICES, WARM_INVOICES] = [1_000, 200];
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
/** What goals are for. */
const usual = { currency: 'EUR', items };
/** Unlike the documents from which the phrases of the store were taken: other codes, units, adjustments, texts beyond ASCII. */
const unusual = {
  currency: 'JPY',
  prices_include_tax: true,
  notes: 'Δελτίο αποστολής 4711 · Çmimi përfshin TVSH-në',
  metadata: { order: 'A-2026/4711', branch: 'Tiranë 3', till: '7' },
  discounts: [{ percent: 2.5, reason: 'Skonto' }],
  items: [
    {
      description: 'Καφές ελληνικός, 250 g',
      quantity: 12.5,
      unit: 'KGM',
      unit_price: 1234,
      taxes: [{ category: 'VAT', rate: 13, code: 'S' }],
    },
    { description: 'Wartung, Stundensatz', quantity: 1, unit: 'HUR', unit_price: 9800, taxes: [{ category: 'VAT', rate: 0, code: 'Z' }] },
    {
      description: 'Shërbim i përjashtuar',
      quantity: 3,
      unit: 'C62',
      unit_price: 555,
      discounts: [{ amount: 55, reason: 'zbritje' }],
      taxes: [{ category: 'VAT', rate: 0, code: 'E', exemption_reason: 'Neni 51' }],
    },
    { description: 'Livraison', quantity: 1, unit_price: 700, charges: [{ percent: 10, reason: 'express' }], taxes: [] },
  ],
};
const KIB = 1024;

/** Writes so many invoices, and waits until all that follows is done. */
async function write(server, { customer, submit, document }, count) {
  const client = open(server);
  const body = { customer_id: customer.id, ...document };
  const registered = async () => (await server.call('/invoices?status=submitted&per_page=1')).meta.total;
  const before = await registered();
  const ids = [];
  await each(Array(count).fill(body), async (body) => ids.push((await client.post('/v1/invoices', body)).id));
  if (submit) await each(ids, (id) => client.post(`/v1/invoices/${id}/submit`, {}));
  for (let n = 0; submit && (await registered()) < before + count; n += 1) {
    if (n === 600) throw new Error(`${before + count - (await registered())} of ${count} invoices are not registered`);
    await sleep(200);
  }
  await client.close();
  await atRest(server);
}

/** Figures per invoice. */
async function measure({ submit, endpoint, document }) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-write-'));
  const receiver = await startReceiver();
  const counter = join(folder, 'serializations');
  const preload = `--import=${join(import.meta.dirname, 'serializations.mjs')}`;
  const env = { NODE_OPTIONS: preload, SERIALIZATIONS: counter, WEBHOOKS_ALLOW: receiver.url, AUTHORITY_PACE: 'fast' };

  const first = await startProduct(folder, { env });
  const customer = await first.call('/customers', { name: 'Bench', email: 'bench@example.com' });
  if (endpoint) await first.call('/webhooks', { url: `${receiver.url}/hook`, events: ['*'] });
  await write(first, { customer, submit, document }, WARM_INVOICES);
  await first.stop();
  const before = storedIn(first.data);

  const server = await startProduct(folder, { env });
  await atRest(server);
  const wal = watchWal(server.data);
  const serializations = () => Number(readFileSync(counter, 'utf8'));
  const [received, made] = [receiver.received(), serializations()];
  await write(server, { customer, submit, document }, INVOICES);
  const figures = { wal: wal.bytes() / INVOICES, serializations: (serializations() - made) / INVOICES };
  wal.stop();
  await server.stop();
  await receiver.close();
  const after = storedIn(server.data);
  rmSync(folder, { recursive: true });

  const trees = [...after.trees].map(([name, { type, entries, bytes }]) => {
    const was = before.trees.get(name) ?? { entries: 0, bytes: 0 };
    return { name, type, entries: (entries - was.entries) / INVOICES, bytes: Math.round((bytes - was.bytes) / INVOICES) };
  });
  const isOfTerms = ({ name }) => name.includes('_terms_v');
  const [terms, others] = [trees.filter(isOfTerms), trees.filter((tree) => !isOfTerms(tree))];
  const sum = (type, among = others) => among.reduce((all, tree) => all + (tree.type === type ? tree.entries : 0), 0);
  const termsDisk = terms.reduce((all, { bytes }) => all + bytes, 0);
  return {
    ...figures,
    rows: sum('table'),
    entries: sum('index'),
    disk: (after.bytes - before.bytes) / INVOICES - termsDisk,
    terms: { entries: sum('index', terms), disk: termsDisk },
    deliveries: (receiver.received() - received) / INVOICES,
    trees: trees.filter(({ entries, bytes }) => entries >= 0.05 || bytes >= 20).sort((a, b) => b.bytes - a.bytes),
  };
}

/** Maxima. */
const goals = { 'draft, no endpoint': { wal: 7, disk: 3, entries: 9 }, 'submitted, one endpoint': { disk: 14, entries: 24 } };

const cases = [false, true].flatMap((submit) => [false, true].map((endpoint) => ({ submit, endpoint })));

export async function run() {
  const rows = [];
  for (const document of [usual, unusual])
    for (const { submit, endpoint } of cases) {
      const name = `${submit ? 'submitted' : 'draft'}${document === usual ? '' : ' (unusual document)'}, ${endpoint ? 'one' : 'no'} endpoint`;
      const { trees, ...figures } = await measure({ submit, endpoint, document });
      console.log(`\n# ${name}: entries and bytes of disk an invoice, by table and index`);
      console.table(trees);
      const judged = (what, value, unit) => {
        const goal = goals[name]?.[what];
        return goal === undefined ? shown(`${name}: ${unit}`, value) : atMost(`19 ${name}: ${unit}`, value, goal);
      };
      rows.push(
        shown(`${name}: rows`, figures.rows),
        judged('entries', figures.entries, 'index entries'),
        judged('wal', figures.wal / KIB, 'WAL, KiB'),
        judged('disk', figures.disk / KIB, 'disk, KiB'),
        shown(`19a ${name}: index entries of terms`, figures.terms.entries),
        shown(`19a ${name}: disk of terms, KiB`, figures.terms.disk / KIB),
        shown(`${name}: serializations`, figures.serializations),
        shown(`${name}: deliveries`, figures.deliveries),
      );
    }
  return rows;
}
