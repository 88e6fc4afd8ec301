import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { customerNumber } from './parties.ts';

type Document = RegistrationRequested['document'];
type Tax = Document['items'][number]['taxes'][number];
type Customer = NonNullable<RegistrationRequested['customer']>;

/** Descriptions of a document, in characters, that a record can have. */
const MOST_DESCRIBED = 500;
/** Of a name. */
const MOST_NAMED = 120;

/** The request with what a record is made of, and no more: it is stored with each draft, as JSON in JSON, and has to fit into one append whatever is in it. */
export function sourceOf(request: RegistrationRequested): RegistrationRequested {
  const { document_id, kind, round, authority, number, seq, series, issued_at, issue_date, late_reason, original } = request;
  const of = { document_id, kind, round, authority, number, seq, series, issued_at, issue_date, late_reason, simulate: null };
  const { id, tax_id, legal_name, tax_regime, time_zone, installation } = request.issuer;
  return {
    ...of,
    ...(original && { original }),
    document: documentOf(request.document),
    issuer: { id, tax_id, legal_name, tax_regime, time_zone, installation } as RegistrationRequested['issuer'],
    customer: request.customer && customerOf(request.customer),
  };
}

function documentOf(document: Document): Document {
  let left = MOST_DESCRIBED;
  const items = document.items.map(({ description, amount, taxes }) => {
    const kept = (description ?? '').slice(0, left);
    left -= kept.length;
    return { description: kept, amount, taxes: taxesOf(taxes) };
  });
  const taxesAlone = (those: readonly { taxes?: Tax[] | null }[] = []) => those.map(({ taxes }) => ({ taxes: taxes && taxesOf(taxes) }));
  const { object, currency, subtotal, total, discounts, charges } = document;
  const tax_breakdown = document.tax_breakdown
    .filter(isVat)
    .map(({ category, code, rate, retained, base, amount, surcharge }) => ({ category, code, rate, retained, base, amount, surcharge }));
  const of: Record<string, unknown> = { object, currency, subtotal, total, tax_breakdown, items };
  for (const field of ['type', 'corrects', 'exchange_rate', 'supply_date', 'correction_code'])
    if (field in document) of[field] = (document as unknown as Record<string, unknown>)[field];
  return { ...of, discounts: taxesAlone(discounts), charges: taxesAlone(charges) } as unknown as Document;
}

const isVat = ({ category, retained }: Pick<Tax, 'category' | 'retained'>): boolean => category === 'VAT' && !retained;

/** What is retained and what is no VAT is in no record. */
const taxesOf = (taxes: readonly Tax[]): Tax[] =>
  taxes
    .filter(isVat)
    .map(({ category, code, rate, retained, exemption_code }) => ({ category, code, rate, retained, exemption_code }) as Tax);

/** As a record names it. */
function customerOf({ id, name, tax_id, tax_id_kind, kind, tax_ids, address }: Customer): Customer {
  const known = customerNumber({ tax_id, tax_ids });
  const country = address?.country;
  return {
    ...{ id, name: name && name.slice(0, MOST_NAMED), tax_id, tax_id_kind, kind, language: null },
    ...(known && { tax_ids: [known] }),
    address: country === undefined ? null : { country },
  } as Customer;
}
