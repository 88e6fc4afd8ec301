import { dayIn, iso, plusDays, type Day } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { EntryEvent } from '../postings/posting-of.ts';
import { bodyOf, shown, type Balance } from './model-body.ts';
import { ZONE, type ModelDocument } from './model-document.ts';
import { amountsAt, randomAmounts } from './random-amounts.ts';
import { customerId, invoiceEvent, invoiceId, productId, receiptEvent, receiptId } from './sample-documents.ts';

export interface RandomHistory {
  documents: ModelDocument[];
  /** In the order in which they happened. */
  events: EntryEvent[];
  /** The first and the last day of it, in the zone. */
  days: [Day, Day];
}

/**
 * Invoices, receipts, credit notes, correctives, payments, reversals, rejections, late registrations, voids by either way: what an issuer may do in
 * `steps` steps, over some months with both changes of summer time in them.
 */
export function randomHistory(seed: number, steps: number): RandomHistory {
  const random = seeded(seed);
  const int = (most: number): number => Math.floor(random() * (most + 1));
  const pick = <T>(list: readonly T[]): T => list[int(list.length - 1)] as T;
  const documents: ModelDocument[] = [];
  /** Erased customers get no more documents; those they have keep their name. */
  const customers = [0, 1, 2, 3].map(customerId);
  const events: EntryEvent[] = [];
  const lines = new Map<string, number>();
  const payments = new Map<ModelDocument['payments'][number], { id: string; amount: number; paid_at: Day }>();
  let now = Date.UTC(2026, 1, 20);
  const first = dayIn(ZONE, now);
  const today = (): Day => dayIn(ZONE, now);

  function emit(document: ModelDocument, entry: Partial<EntryEvent['entry']>, over: object = {}): void {
    const sequence = (lines.get(document.id) ?? 0) + 1;
    lines.set(document.id, sequence);
    const body = { ...bodyOf(document, balanceOf(document)), ...over };
    const event = { sequence, time: iso(now), entry: { ...entry, at: iso(now) } };
    const n = documents.indexOf(document);
    events.push(document.kind === 'receipt' ? receiptEvent(n, body, event) : invoiceEvent(n, body, event));
  }

  function create(kind: ModelDocument['kind'], over: Partial<ModelDocument> = {}): void {
    const n = documents.length;
    const issuedOn = kind === 'receipt' ? today() : plusDays(today(), -int(20));
    const amounts = randomAmounts(int);
    const currency = over.currency ?? (amounts.rounding === 'precise' ? 'EUR' : pick(['EUR', 'EUR', 'JPY', 'KWD'] as const));
    const isConverted = kind === 'invoice' && currency !== 'EUR' && random() < 0.8;
    const document: ModelDocument = {
      id: kind === 'receipt' ? receiptId(n) : invoiceId(n),
      kind,
      type: 'standard',
      customer: kind === 'receipt' && random() < 0.5 ? null : pick(customers),
      name: null,
      ...amounts,
      ...{ currency, discount: random() < 0.3 ? BigInt(int(500)) : 0n, exchange: isConverted ? BigInt(1 + int(40_000)) : null },
      ...{ retained: kind === 'invoice' && random() < 0.2 ? amounts.net / 7n : 0n },
      product: pick([null, productId(1), productId(2)]),
      ...{ series: kind === 'receipt' ? 'RCP' : over.type === 'credit_note' ? 'CN' : 'INV', seq: 0 },
      corrects: null,
      issuedOn,
      dueOn: kind === 'invoice' && random() < 0.8 ? plusDays(issuedOn, int(60)) : null,
      numberedAt: now,
      ...{ outcome: null, voided: null, payments: [] },
      ...over,
    };
    if (document.customer !== null) document.name = pick(['Blue Heron', 'Blue Heron SL', 'Heron']);
    document.seq = documents.filter(({ series }) => series === document.series).length + 1;
    documents.push(document);
    if (kind === 'invoice')
      emit(document, { type: 'created' }, { number: null, issue_date: null, issued_at: null, fiscal: null, issuer: null, status: 'draft' });
    emit(document, {
      type: kind === 'invoice' ? 'numbered' : 'created',
      numbered: { seq: document.seq, series_key: `${document.series}.2026`, first_seq: 1 },
    });
    if (random() < 0.8) answer(document);
  }
  function answer(document: ModelDocument): void {
    document.outcome = { at: now, is: random() < 0.9 ? 'registered' : 'failed' };
    emit(document, { type: document.outcome.is === 'failed' ? 'rejected' : 'registered' });
    if (document.outcome.is === 'registered') emitOriginal(document);
  }
  /** What is due of it has changed. */
  function emitOriginal({ type, corrects }: ModelDocument): void {
    if (type === 'credit_note' && corrects) emit(corrects, { type: 'updated' });
  }
  function balanceOf({ kind, type, ...document }: ModelDocument): Balance {
    const { net, tax, retained, voided, outcome, payments: own } = document;
    const sum = (amounts: bigint[]): bigint => amounts.reduce((all, amount) => all + amount, 0n);
    const paid = sum(own.flatMap(({ amount, reversed }) => (reversed ? [] : [amount])));
    const notes = counting().filter((note) => note.type === 'credit_note' && note.corrects?.id === document.id);
    const credited = sum(notes.map((note) => note.net + note.tax - note.retained));
    const isDue = kind === 'invoice' && type !== 'credit_note' && voided === null && outcome?.is !== 'failed';
    return { paid, credited, due: isDue ? net + tax - retained - paid - credited : 0n };
  }
  const counting = (): ModelDocument[] => documents.filter(({ outcome, voided }) => outcome?.is === 'registered' && !voided);
  const untouched = (document: ModelDocument): boolean =>
    document.payments.every(({ reversed }) => reversed) && !documents.some(({ corrects, voided }) => corrects === document && !voided);

  const actions: (() => void)[] = [
    () => create('invoice'),
    () => create('invoice'),
    () => create('receipt'),
    () => {
      const original = pick(counting().filter(({ kind, type, net }) => kind === 'invoice' && type === 'standard' && net > 10n));
      if (!original) return;
      const share = original.net / BigInt(4 + int(4));
      const { customer, currency, taxes } = original;
      const isNote = random() < 0.7;
      const sign = isNote || random() < 0.5 ? 1n : -1n;
      create('invoice', {
        ...{ type: isNote ? 'credit_note' : 'corrective', corrects: original, customer, currency, retained: 0n },
        ...amountsAt(sign * share, taxes[0]?.rate ?? 10),
        issuedOn: original.issuedOn > today() ? original.issuedOn : today(),
      });
    },
    () => {
      const waiting = pick(documents.filter(({ outcome }) => outcome === null));
      if (waiting) answer(waiting);
    },
    () => {
      const invoice = pick(counting().filter(({ kind, type, net }) => kind === 'invoice' && type !== 'credit_note' && net > 0n));
      if (!invoice || invoice.payments.length > 3) return;
      const amount = (invoice.net + invoice.tax) / BigInt(3 + int(5)) + 1n;
      const paid_at = plusDays(today(), -int(40));
      const payment = { amount, day: paid_at > invoice.issuedOn ? paid_at : invoice.issuedOn, at: now, reversed: null };
      invoice.payments.push(payment);
      payments.set(payment, { id: `pay_${now}`, amount: shown(amount, invoice.currency), paid_at });
      emit(invoice, { type: 'payment_recorded', payment: payments.get(payment) as never });
    },
    () => {
      const invoice = pick(counting().filter((document) => document.payments.some(({ reversed }) => !reversed)));
      const payment = invoice?.payments.find(({ reversed }) => !reversed);
      if (!invoice || !payment) return;
      payment.reversed = { at: now, day: today() > invoice.issuedOn ? today() : invoice.issuedOn };
      emit(invoice, { type: 'payment_reversed', payment: payments.get(payment) as never });
    },
    () => {
      const document = pick(counting().filter(untouched));
      if (!document) return;
      const isByCorrective = random() < 0.4;
      const day = isByCorrective ? plusDays(today(), -int(1)) : today();
      document.voided = { at: now, day: day > document.issuedOn ? day : document.issuedOn };
      emit(document, { type: 'voided', ...(isByCorrective && { voided: { issue_date: day } }) });
      emitOriginal(document);
    },
    () => {
      if (customers.length > 2 && random() < 0.1) customers.splice(int(customers.length - 1), 1);
    },
    () => {
      const document = pick(counting());
      if (document) emit(document, { type: 'updated' }, { metadata: { a: 'b' } });
    },
  ];
  for (let step = 0; step < steps; step += 1) {
    now += 1 + int(2 * 86_400_000);
    pick(actions)();
  }
  return { documents, events, days: [plusDays(first, -20), plusDays(today(), 1)] };
}
