import type { RegistrationRequested } from '@svc/contracts/registration/requested';

/** Descriptions of a document, in characters, that a record can have. */
const MOST_DESCRIBED = 500;

/** The request with what a record is made of, and no more: it is stored with each draft. */
export function sourceOf(request: RegistrationRequested): RegistrationRequested {
  const { document, ...rest } = request;
  let left = MOST_DESCRIBED;
  const items = document.items.map(({ description, amount, taxes }) => {
    const kept = (description ?? '').slice(0, left);
    left -= kept.length;
    return { description: kept, amount, taxes };
  });
  const taxesAlone = (those: readonly { taxes?: unknown }[] = []) => those.map(({ taxes }) => ({ taxes }));
  const { object, currency, subtotal, total, tax_breakdown, discounts, charges } = document;
  const of: Record<string, unknown> = { object, currency, subtotal, total, tax_breakdown, items };
  for (const field of ['type', 'corrects', 'exchange_rate', 'supply_date', 'correction_code'])
    if (field in document) of[field] = (document as unknown as Record<string, unknown>)[field];
  const slim = { ...of, discounts: taxesAlone(discounts), charges: taxesAlone(charges) };
  return { ...rest, document: slim as unknown as RegistrationRequested['document'] };
}
