// Fills the data folder of a stopped system with invoices, as their events: through the port of the event store, and through the decider, so that every
// event is one that the system writes. It makes its read models of them at its next start.
import 'reflect-metadata';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { embeddedEventStore } from '@svc/event-store';
import { defaultIssuer } from '@svc/invoicing/issuer/issuers';
import { pointOfSale } from '@svc/invoicing/issuer/domain/point-of-sale';
import { frozenIssuer } from '@svc/invoicing/document/domain/parties';
import { decide } from '@svc/invoicing/invoice/domain/decide';
import { invoiceEventVersions } from '@svc/invoicing/invoice/domain/events';
import { evolve } from '@svc/invoicing/invoice/domain/evolve';
import { createIds, dayIn, iso, prefixed, streamOf, systemClock } from '@svc/kernel';

const YEARS_MS = 3 * 365 * 24 * 3_600_000;
const AT_ONCE = 1_000;
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 1_000);
const SAMPLE = 100_000;
const SHARES = {
  state: { registered: 70, draft: 20, failed: 4, 'voided draft': 3, voided: 2, submitting: 1 },
  currency: { EUR: 80, USD: 12, GBP: 7, CHF: 1 },
  series: { A: 60, B: 25, C: 10, D: 5 },
};

/** The nth of a reproducible sequence, below `limit`. */
const scattered = (n, salt, limit) => (Math.imul(Math.imul(n + 1, 0x9e3779b1) ^ (salt * 0x85ebca6b), 0xc2b2ae35) >>> 8) % limit;

/** One of the names, each as often as its share of a hundred says. */
function pick(what, n) {
  let left = scattered(n, what.length, 100);
  return Object.entries(SHARES[what]).find(([, share]) => (left -= share) < 0)[0];
}

/**
 * Writes invoices `0` to `count`, of three years until yesterday; `customer` is the id of the first customer. Answers the ids of some invoices, of the customers, and a
 * month in the middle.
 */
export async function seed(folder, { account, count, customer }) {
  let at = Date.now() - YEARS_MS - 24 * 3_600_000;
  const clock = { ...systemClock, now: () => Math.floor(at) };
  const engine = Engine.open(folder);
  const store = embeddedEventStore(engine, clock);
  const ids = createIds(clock);
  const issuer = defaultIssuer(account, 'test');
  const parties = Array.from({ length: CUSTOMERS }, (_, n) => customerOf(n === 0 ? customer : prefixed('cust', ids.next()), n));
  const frozen = frozenIssuer(issuer, pointOfSale({}, issuer));
  const numbers = new Map();
  const sample = [];
  for (let next = 0; next < count; next += AT_ONCE) {
    const appends = Array.from({ length: Math.min(AT_ONCE, count - next) }, (_, k) => {
      const n = next + k;
      at += YEARS_MS / count;
      const id = prefixed('inv', ids.next());
      if (scattered(n, 99, count) < SAMPLE) sample.push(id);
      const events = lifeOf({ n, id, now: clock.now(), issuer, frozen, customer: parties[scattered(n, 1, CUSTOMERS)], numbers });
      const metadata = { account, env: 'test', command_id: ids.next(), request_id: prefixed('req', ids.next()), actor: ACTOR };
      const stored = events.map(({ type, data }) => ({
        id: ids.next(),
        type,
        data,
        metadata: { v: invoiceEventVersions[type], ...metadata },
      }));
      return store.append(streamOf('invoice', 'test', account, id), 'none', stored);
    });
    await Promise.all(appends);
  }
  await consumedUpTo(await store.head(), embeddedDocumentStore(engine, 'svc_invoicing'));
  engine.close();
  return { sample, customers: parties.map(({ id }) => id), month: iso(clock.now() - YEARS_MS / 2).slice(0, 7) };
}

const ACTOR = { type: 'api_key', id: 'key_1' };
const customerOf = (id, n) => ({ id, name: `Customer ${n}`, email: null, phone: null, tax_id: null, language: 'en', address: null });

/** The events of the nth invoice. */
function lifeOf({ n, id, now, issuer, frozen, customer, numbers }) {
  const [end, currency, series] = ['state', 'currency', 'series'].map((what) => pick(what, n));
  const at = iso(now);
  const [day, year] = [dayIn(issuer.time_zone, now), at.slice(0, 4)];
  const events = [];
  let state = null;
  const run = (command) => {
    for (const event of decide({ at, ...command }, state)) {
      events.push(event);
      state = evolve(state, event);
    }
  };
  const items = Array.from({ length: 1 + scattered(n, 2, 4) }, (_, k) => ({
    description: `Consulting, part ${k + 1}`,
    quantity: 1 + scattered(n, 3 + k, 9),
    unit_price: (100 + scattered(n, 13 + k, 100_000)) / 100,
    tax_rate: 20,
  }));
  const body = { customer_id: customer.id, currency, series, items };
  run({
    type: 'create',
    id,
    livemode: false,
    body,
    preconditions: { defaults: issuer, today: day, customerKnown: true, products: new Map(), original: null },
  });
  if (end === 'draft') return events;
  if (end === 'voided draft') return (run({ type: 'void', reason: null }), events);

  const seq = (numbers.get(series + year) ?? 0) + 1;
  numbers.set(series + year, seq);
  const numbering = {
    ...{
      stream: `series-test.bench.${series}.${year}`,
      seen: 'none',
      series,
      format: '{series}-{year}-{seq:6}',
      year,
      unit: null,
      device: null,
    },
    ...{ first: 1, issue_date: null, time_zone: issuer.time_zone },
  };
  run({ type: 'submit', preconditions: { issuer: frozen, customer, numbering, original: null }, late_reason: null });
  events.at(-1).data.personal = null; // as after its customer was erased: no key encrypts it here
  const taken = { document: id, seq, number: `${series}-${year}-${String(seq).padStart(6, '0')}`, issued_at: at, issue_date: day };
  run({ type: 'number', request: 1, taken, parties: { issuer: frozen, customer } });
  const tried = { attempts: 1, last_attempt_at: at };
  const registration = {
    code: id.slice(-20).toUpperCase(),
    issuer_code: null,
    registered_at: at,
    verification_url: null,
    late: false,
    ...tried,
  };
  const rejection = { error: { code: 'E1', message: 'The tax id is not known.', fixable: 'data' }, ...tried };
  if (end === 'submitting') return events;
  if (end === 'failed') return (run({ type: 'reject', round: 1, rejection }), events);
  run({ type: 'register', round: 1, registration });
  if (end === 'voided') {
    run({ type: 'void', reason: 'entered twice' });
    run({ type: 'cancel', cancelled: { ...tried, attempts: 2 } });
  }
  return events;
}

/**
 * The groups have had everything, as it would be after three years: nothing is submitted again, and no webhook is delivered. Reports get the history,
 * since they hold a row for each invoice. Each group of a folder that was started has a checkpoint.
 */
async function consumedUpTo(position, documents) {
  const checkpoints = documents.collection('checkpoints');
  const groups = (await Array.fromAsync(checkpoints.find({}))).map(({ _id }) => _id).filter((id) => id.startsWith('publishing.'));
  const reached = groups.filter((id) => !id.startsWith('publishing.reporting'));
  await checkpoints.write(reached.map((_id) => ({ put: { _id, version: Number(position) + 1, position: String(position) } })));
}
