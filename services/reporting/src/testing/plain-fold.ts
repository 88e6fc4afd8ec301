import { dayIn, iso, millisOf, type Day } from '@svc/kernel';
import { decimals, ZONE, type ModelDocument } from './model-document.ts';

/** What a plain fold is asked. */
export interface Asked {
  from: Day;
  to: Day;
  as_of: Day;
  known_at: number;
  kind: 'all' | 'invoices' | 'receipts';
}

export type Sums = Record<string, Record<string, bigint>>;

/** The reports a second time, over the documents themselves: by key and currency, in whole units, without rows that are nothing. */
export function plainFold(all: readonly ModelDocument[]) {
  const isRegistered = ({ outcome }: ModelDocument, { known_at }: Asked): boolean => outcome?.is === 'registered' && outcome.at <= known_at;
  const isVoid = ({ voided }: ModelDocument, { known_at, as_of }: Asked): boolean =>
    voided !== null && voided.at <= known_at && voided.day <= as_of;
  const sign = ({ type }: ModelDocument): bigint => (type === 'credit_note' ? -1n : 1n);
  const ofKind = ({ kind }: ModelDocument, asked: Asked): boolean => asked.kind === 'all' || asked.kind === `${kind}s`;

  /** What counts: a document on its issue date, its void on the day of the void. */
  const counted = (asked: Asked) =>
    all
      .filter((document) => ofKind(document, asked) && isRegistered(document, asked))
      .flatMap((document) => [
        { document, day: document.issuedOn, documents: 1n, s: sign(document) },
        ...(document.voided && document.voided.at <= asked.known_at
          ? [{ document, day: document.voided.day, documents: -1n, s: -sign(document) }]
          : []),
      ])
      .filter(({ day }) => day >= asked.from && day <= asked.to && day <= asked.as_of);

  const credits = (original: ModelDocument, asked: Asked): bigint =>
    all
      .filter(({ type, corrects }) => type === 'credit_note' && corrects === original)
      .filter((note) => isRegistered(note, asked) && note.issuedOn <= asked.as_of && !isVoid(note, asked))
      .reduce((sum, { net, tax, retained }) => sum + net + tax - retained, 0n);
  const paid = ({ payments }: ModelDocument, { as_of, known_at }: Asked): bigint =>
    payments.reduce((sum, { amount, day, at, reversed }) => {
      const is = day <= as_of && at <= known_at ? amount : 0n;
      return sum + is - (reversed && reversed.day <= as_of && reversed.at <= known_at ? amount : 0n);
    }, 0n);
  const isThere = (document: ModelDocument, asked: Asked): boolean => isRegistered(document, asked) && document.issuedOn <= asked.as_of;
  function due(document: ModelDocument, asked: Asked): bigint {
    if (document.kind === 'receipt' || document.type === 'credit_note' || !isThere(document, asked) || isVoid(document, asked)) return 0n;
    return document.net + document.tax - document.retained - paid(document, asked) - credits(document, asked);
  }

  function rows(entries: readonly (readonly [string, Record<string, bigint>])[]): Sums {
    const found: Sums = {};
    for (const [key, figures] of entries)
      for (const [name, value] of Object.entries(figures)) (found[key] ??= {})[name] = (found[key]?.[name] ?? 0n) + value;
    for (const row of Object.values(found)) {
      if (row['not_known']) row['issuer_base'] = row['issuer_tax'] = 0n;
      delete row['not_known'];
    }
    return Object.fromEntries(Object.entries(found).filter(([, row]) => Object.values(row).some((value) => value !== 0n)));
  }
  /** In cents, rounded half away from zero; a row of a document without a rate has neither. */
  function inEuro({ currency, exchange }: ModelDocument, base: bigint, tax: bigint): Record<string, bigint> {
    if (currency === 'EUR') return { issuer_base: base, issuer_tax: tax };
    if (exchange === null) return { not_known: 1n };
    const below = 10n ** BigInt(decimals[currency] + 4);
    const cents = (units: bigint): bigint => {
      const twice = 2n * units * exchange * 100n;
      return (twice + (twice < 0n ? -below : below)) / (2n * below);
    };
    return { issuer_base: cents(base), issuer_tax: cents(tax) };
  }
  const bucket = (late: number) =>
    late <= 0 ? 'not_due' : late <= 30 ? 'd1_30' : late <= 60 ? 'd31_60' : late <= 90 ? 'd61_90' : 'over_90';

  /** Numbered documents of the period, and how each was answered as of the day; null: not yet. */
  const numbered = (asked: Asked) =>
    all
      .filter((document) => ofKind(document, asked) && document.numberedAt <= asked.known_at)
      .filter(({ issuedOn }) => issuedOn >= asked.from && issuedOn <= asked.to && issuedOn <= asked.as_of)
      .map((document) => ({ document, answer: answerOf(document, asked) }));
  function answerOf({ outcome, issuedOn }: ModelDocument, { known_at, as_of }: Asked): ModelDocument['outcome'] {
    if (outcome === null || outcome.at > known_at) return null;
    const day = dayIn(ZONE, outcome.at);
    return outcome.is === 'registered' || (day > issuedOn ? day : issuedOn) <= as_of ? outcome : null;
  }
  function answers(own: ReturnType<typeof numbered>) {
    const seconds = own
      .flatMap(({ document, answer }) => (answer ? [(answer.at - document.numberedAt) / 1_000] : []))
      .sort((a, b) => a - b);
    const rank = (share: number) => seconds[Math.max(1, Math.ceil(share * seconds.length)) - 1] ?? null;
    const of = (is: string) => own.filter(({ answer }) => answer?.is === is).length;
    return {
      ...{ submitted: own.length, registered: of('registered'), rejected: of('failed'), unknown: 0, late: 0 },
      ...{ seconds_p50: rank(0.5), seconds_p95: rank(0.95) },
    };
  }

  return {
    /** Rows by issue date, as published. */
    submissions: (asked: Asked) =>
      [...Map.groupBy(numbered(asked), ({ document }) => document.issuedOn)]
        .map(([key, own]) => ({ key, ...answers(own) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
    /** Rows by count and number, as published. */
    numbering: (asked: Asked) =>
      numbered(asked)
        .map(({ document, answer }) => ({
          ...{ series: document.series, series_key: `${document.series}.2026`, number: document.id.slice(-6), seq: document.seq },
          ...{ document_id: document.id, issued_at: iso(document.numberedAt) },
          fate: isVoid(document, asked) ? 'voided' : (answer?.is ?? 'pending'),
        }))
        .sort((a, b) => (a.series === b.series ? a.seq - b.seq : a.series < b.series ? -1 : 1)),
    sales: (asked: Asked): Sums =>
      rows(
        counted(asked).map(({ document: { currency, net, tax, discount }, day, documents, s }) => [
          `${day} ${currency}`,
          { documents, subtotal: s * net, discount_total: s * discount, tax_total: s * tax, total: s * (net + tax) },
        ]),
      ),
    tax: (asked: Asked): Sums =>
      rows(
        counted(asked).flatMap(({ document, documents, s }) => {
          const { currency, net, taxes, retained } = document;
          const of = (base: bigint, tax: bigint) => ({ documents, base: s * base, tax: s * tax, ...inEuro(document, s * base, s * tax) });
          return [
            ...taxes.map(({ rate, base, tax }) => [`VAT ${rate} ${currency}`, { ...of(base, tax), retained: 0n }] as const),
            ...(retained === 0n ? [] : [[`IRPF 15 ${currency}`, { ...of(net, 0n), retained: s * retained }] as const]),
          ];
        }),
      ),
    products: (asked: Asked): Sums =>
      rows(
        counted(asked)
          .filter(({ document: { product } }) => product !== null)
          .map(({ document: { product, currency, net, untaxed }, documents, s }) => [
            `${product} ${currency}`,
            { documents, quantity: 2n * s, net: s * (net - untaxed) },
          ]),
      ),
    receivables: (asked: Asked): Sums =>
      rows(
        all
          .filter((document) => ofKind(document, asked))
          .map((document) => {
            const open = due(document, asked);
            const late = (millisOf(asked.as_of) - millisOf(document.dueOn ?? document.issuedOn)) / 86_400_000;
            return [`${document.customer} ${document.currency}`, { [bucket(late)]: open, total: open }];
          }),
      ),
    customers: (asked: Asked): Sums =>
      rows([
        ...counted(asked).map(
          ({ document: { customer, currency, net, tax }, documents, s }) =>
            [`${customer} ${currency}`, { documents, total: s * (net + tax) }] as const,
        ),
        ...all
          .filter(
            (document) =>
              ofKind(document, asked) && isThere(document, asked) && document.issuedOn >= asked.from && document.issuedOn <= asked.to,
          )
          .map((document) => {
            const isPaid = document.kind === 'receipt' && !isVoid(document, asked);
            const amount =
              document.kind === 'invoice' ? paid(document, asked) : isPaid ? document.net + document.tax - document.retained : 0n;
            return [`${document.customer} ${document.currency}`, { paid: amount, due: due(document, asked) }] as const;
          }),
      ]),
    /** What of the subtotals is of no base: lines without VAT, and what `precise` documents round. By currency. */
    withoutBase: (asked: Asked): Record<string, bigint> => {
      const sums: Record<string, bigint> = {};
      for (const { document, s } of counted(asked)) {
        const { currency, net, taxes } = document;
        sums[currency] = (sums[currency] ?? 0n) + s * taxes.reduce((rest, { base }) => rest - base, net);
      }
      return sums;
    },
  };
}
