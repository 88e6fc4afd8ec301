import { postingId, type Figures, type Posting } from '../postings/posting.ts';
import { ACCOUNT, customerId, invoiceId } from './sample-documents.ts';

/** 100 EUR and 20 % of tax. */
export const sampleFigures = (over: Partial<Figures> = {}): Figures => ({
  documents: 1,
  sign: 1,
  subtotal: '100',
  discount_total: '0',
  tax_total: '20',
  total: '120',
  payable: '120',
  taxes: [{ category: 'VAT', code: 'S', rate: '20', base: '100', tax: '20', retained: '0', issuer: { base: '100', tax: '20' } }],
  products: [],
  issuer_currency: 'EUR',
  customer_name: null,
  customer_tax_id: null,
  due_on: '2026-01-10',
  ...over,
});

/** The registration of an invoice that was issued on 2026-01-10, its third line. */
export function samplePosting(
  n: number,
  { figures, ...over }: Partial<Omit<Posting, 'figures'>> & { figures?: Partial<Figures> } = {},
): Posting {
  const issued_on = over.issued_on ?? '2026-01-10';
  const document = over.document ?? invoiceId(n);
  return {
    _id: postingId(document, 3),
    version: 1,
    account: ACCOUNT,
    env: 'test',
    document,
    kind: 'invoice',
    change: 'registered',
    day: issued_on,
    issued_on,
    recorded_at: '2026-01-10T09:00:01.000Z',
    stored: 0,
    time_zone: 'Europe/Tirane',
    number: `INV-2026-${n}`,
    customer_id: customerId(1),
    currency: 'EUR',
    authority: 'sandbox',
    outcome: 'registered',
    counted_on: over.day ?? issued_on,
    figures: sampleFigures(figures),
    ...over,
  };
}

/** The void of the document of a posting. */
export const voidOf = (posting: Posting, day: string): Posting => ({
  ...posting,
  _id: postingId(posting.document, 9),
  change: 'voided',
  outcome: 'voided',
  day,
  counted_on: day,
  figures: { ...(posting.figures as Figures), documents: -1, sign: posting.figures?.sign === 1 ? -1 : 1 },
});
