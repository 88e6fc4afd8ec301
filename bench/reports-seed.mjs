// A year of an account's documents as postings, and the same amounts as rows of one SQLite table.
import { plusDays } from '@svc/kernel';

export const FIRST = '2026-01-01';
export const DAYS = 365;
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 2_000);
const PRODUCTS = 200;
const TENANT = { account: 'acct_01jqz5rk4e7000000000000001', env: 'live' };
const idOf = (prefix, n) => `${prefix}_01jqz5rk4e7${String(n).padStart(15, '0')}`;
const cents = (amount) => (amount / 100).toFixed(2).replace(/\.?0+$/, '');

/** The same numbers from 0 to 1 in each run (mulberry32). */
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The postings of each document, of the given number, evenly over the year: four of five are invoices, most of them paid within two months; some credit notes and voids. */
export function* seedDocuments(count) {
  const random = seeded(20261128);
  const int = (most) => Math.floor(random() * (most + 1));
  let creditable;
  for (let n = 0; n < count; n += 1) {
    const day = plusDays(FIRST, Math.floor((n * DAYS) / count));
    const isReceipt = n % 5 === 0;
    const isNote = !isReceipt && creditable !== undefined && random() < 0.02;
    const customer = isNote ? creditable.customer : isReceipt ? null : int(CUSTOMERS - 1);
    const net = isNote ? Math.ceil(creditable.net / 10) : 100 * (1 + int(5_000));
    const document = {
      n,
      day,
      kind: isReceipt ? 'receipt' : 'invoice',
      customer,
      net,
      product: int(PRODUCTS - 1),
      lowers: isNote ? creditable : undefined,
    };
    document.dueOn = isReceipt ? undefined : isNote ? creditable.dueOn : plusDays(day, 14 + int(46));
    const postings = [numbered(document), registered(document)];
    if (!isReceipt && !isNote) {
      if (random() < 0.85) postings.push(paid(document, plusDays(day, int(60))));
      else if (random() < 0.1) postings.push(voided(document, plusDays(day, int(10))));
      else creditable = document;
    }
    yield postings;
  }
}

const documentId = ({ n, kind }) => idOf(kind === 'invoice' ? 'inv' : 'rcp', n);

function posting(document, line, change, day, more = {}) {
  const { n, customer } = document;
  const id = documentId(document);
  return {
    ...{ _id: `${id}:${String(line).padStart(4, '0')}`, version: 1, ...TENANT, document: id, kind: document.kind, change, day },
    ...{ issued_on: document.day, recorded_at: `${day}T10:00:00.000Z`, stored: 0, time_zone: 'Europe/Tirane', number: `INV-2026-${n}` },
    ...{
      customer_id: customer === null ? null : idOf('cust', customer),
      currency: 'EUR',
      authority: 'sandbox',
      outcome: change === 'voided' ? 'voided' : change === 'numbered' ? 'pending' : 'registered',
    },
    ...more,
  };
}

const numbered = (document) =>
  posting(document, 2, 'numbered', document.day, {
    ...{ series: 'INV', series_key: 'INV.2026', seq: document.n + 1 },
    ...{ issued_at: `${document.day}T10:00:00.000Z`, numbered_at: `${document.day}T10:00:00.000Z` },
  });

function figures({ net, customer, product, dueOn, kind, lowers }, documents) {
  const tax = Math.round(net / 5);
  const [subtotal, tax_total, total] = [net, tax, net + tax].map(cents);
  return {
    ...{
      documents,
      sign: (lowers === undefined) === (documents === 1) ? 1 : -1,
      subtotal,
      discount_total: '0',
      tax_total,
      total,
      payable: total,
    },
    taxes: [
      { category: 'VAT', code: 'S', rate: '20', base: subtotal, tax: tax_total, retained: '0', issuer: { base: subtotal, tax: tax_total } },
    ],
    products: [{ product_id: idOf('prod', product), quantity: '2', subtotal, tax: tax_total }],
    ...{ issuer_currency: 'EUR', customer_name: customer === null ? null : `Customer ${customer}`, customer_tax_id: null },
    ...(kind === 'invoice'
      ? { due_on: dueOn }
      : { till: { payments: [{ method: 'cash', amount: total }], unit: 'shop1', device: 'till2', operator: null } }),
  };
}

const registered = (document) =>
  posting(document, 3, 'registered', document.day, {
    ...{ counted_on: document.day, figures: figures(document, 1), answered: { seconds: 1, late: false } },
    ...(document.lowers && { lowers: documentId(document.lowers) }),
  });
const voided = (document, day) => posting(document, 4, 'voided', day, { counted_on: day, figures: figures(document, -1) });
const paid = (document, day) => posting(document, 4, 'paid', day, { paid: cents(document.net + Math.round(document.net / 5)) });

export const ACCOUNT = TENANT;

/** One table: a row a change of an amount, in cents. `due`: of what is due of an invoice, by its due date. */
export function openTable(db) {
  db.exec(
    'CREATE TABLE changes (account, env, day, counts, currency, customer, net, tax, due, due_on, kind, product, document, number, seq)',
  );
  const insert = db.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return {
    add(postings) {
      for (const {
        account,
        env,
        day,
        change,
        currency,
        customer_id,
        figures: of,
        paid: amount,
        lowers,
        kind,
        document,
        number,
      } of postings) {
        if (!of && !amount) continue;
        const of100 = (text) => Math.round(Number(text) * 100);
        const dueOn = of?.due_on ?? postings[1].figures.due_on ?? null;
        const due = change === 'paid' ? -of100(amount) : dueOn === null ? 0 : of100(of.payable) * (lowers || of.documents < 0 ? -1 : 1);
        insert.run(
          account,
          env,
          day,
          of?.documents ?? 0,
          currency,
          customer_id,
          of ? of.sign * of100(of.subtotal) : 0,
          of ? of.sign * of100(of.tax_total) : 0,
          due,
          dueOn,
          kind,
          of?.products[0].product_id ?? null,
          document,
          number,
          postings[0].seq,
        );
      }
    },
    end: () => db.exec('CREATE INDEX by_day ON changes (account, env, day, counts)'),
  };
}
