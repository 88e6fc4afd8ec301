import type { CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import { type Day, type Details, invalid, mergeMetadata, sameJson } from '@svc/kernel';
import { totalProblems } from '../../document/domain/kinds.ts';
import type { IssuerState } from '../../issuer/domain/state.ts';
import { filledItems, type Products } from '../../product/domain/lines.ts';
import { dueBeforeIssue } from '../../numbering/domain/numbering.ts';
import { documentAdjustmentsOf, exactText, itemProblems, itemsOf, type Item } from '@svc/totals/line';
import type { Totals } from '@svc/totals/terms';
import { checkedTotals } from '@svc/totals/totals';
import { noCustomer } from '../../document/domain/parties.ts';
import { correctionProblems, settledBy } from './correct.ts';
import type { InvoiceContent, InvoiceState } from './state.ts';

/** What is taken where the caller says nothing. */
export type Defaults = Pick<IssuerState, 'currency' | 'prices_include_tax' | 'rounding' | 'default_tax_rate' | 'series'>;

/** What writing depends on besides the invoice. */
export interface Preconditions {
  defaults: Defaults;
  /** In the issuer's time zone. */
  today: Day;
  /** The customer that the body names exists and is not deleted. */
  customerKnown: boolean;
  /** Those that the body's items name. */
  products: Products;
  /** The invoice that it corrects; null where it corrects none, or none that exists. */
  original: InvoiceState | null;
}

export interface Calculated {
  content: InvoiceContent;
  totals: Totals;
}

interface Given<Body> {
  id: string;
  body: Body;
}

/** A new invoice. Throws validation_error naming all that is wrong. */
export function newContent({ id, body: given }: Given<CreateInvoice>, preconditions: Preconditions): Calculated {
  const { defaults, customerKnown } = preconditions;
  const { type = 'standard', corrects = null } = given;
  const blank: InvoiceContent = {
    type,
    customer_id: given.customer_id,
    items: [],
    discounts: [],
    charges: [],
    currency: defaults.currency,
    prices_include_tax: defaults.prices_include_tax,
    rounding: defaults.rounding,
    series: defaults.series[type].code,
    issue_date: null,
    due_date: null,
    corrects,
    notes: null,
    metadata: {},
  };
  const { body, problems: unfilled } = filled(given, blank, preconditions);
  const content = merged(body, blank, defaults);
  const problems = {
    ...(customerKnown ? {} : noCustomer),
    ...unfilled,
    ...correctionProblems(preconditions.original, { document: id, ...content }),
  };
  return fitting(id, calculated(content, body, preconditions, { problems, stored: null }), preconditions);
}

/**
 * With what is left of the invoice that it corrects, where it takes the last of it. Throws validation_error for a total that its type cannot have, or that
 * the invoice cannot be corrected by.
 */
function fitting(id: string, { content, totals: own }: Calculated, { original }: Preconditions): Calculated {
  const totals = settledBy(original, { id, content, totals: own });
  const problems = {
    ...totalProblems(content.type, totals.total, 'creation'),
    ...correctionProblems(original, { document: id, ...content, total: totals.total }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return { content, totals };
}

/** All that the totals are calculated from. */
const CALCULATED_FROM = ['items', 'discounts', 'charges', 'currency', 'prices_include_tax', 'rounding'] as const;

/**
 * A merge patch (RFC 7396) of it: absent stays, null removes, `metadata` merges, lists are replaced whole. The totals stay as they are
 * unless a field that they are calculated from changes, so that what was issued under earlier rules keeps its amounts.
 */
export function revisedContent(
  { id, body: given }: Given<UpdateInvoice>,
  { content: now, totals }: Calculated,
  preconditions: Preconditions,
): Calculated {
  const { body, problems: unfilled } = filled(given, now, preconditions);
  const content = merged(body, now, preconditions.defaults);
  const isLost = content.customer_id !== now.customer_id && !preconditions.customerKnown;
  const isMoved = content.customer_id !== now.customer_id || content.currency !== now.currency;
  const problems = {
    ...(isLost ? noCustomer : {}),
    ...unfilled,
    ...(isMoved ? correctionProblems(preconditions.original, { document: id, ...content }) : {}),
  };
  const isSame = (field: (typeof CALCULATED_FROM)[number]): boolean =>
    content[field] === now[field] || sameJson(content[field], now[field]);
  if (!CALCULATED_FROM.every(isSame))
    return fitting(id, calculated(content, body, preconditions, { problems, stored: { content: now, totals } }), preconditions);
  const all = { ...problems, ...itemProblems(body.items ?? []), ...dateProblems(body, preconditions, now) };
  if (Object.keys(all).length > 0) throw invalid(all);
  return { content, totals };
}

/** The fields that a merge patch does not repeat as they are now; nothing is judged. Lines that leave something out are written anew, not repeated. */
export function changedFields(given: UpdateInvoice, now: InvoiceContent, preconditions: Preconditions): (keyof InvoiceContent)[] {
  const fields = differing(merged(filled(given, now, preconditions).body, now, preconditions.defaults), now);
  return given.items && !given.items.every((item) => FIELDS.every((field) => item[field] !== undefined)) ? ['items', ...fields] : fields;
}

/** Of a line. */
const FIELDS = [
  'product_id',
  'description',
  'quantity',
  'unit',
  'unit_price',
  'discounts',
  'charges',
  'taxes',
] as const satisfies (keyof Item)[];

/** A field that is absent is null. */
export const differing = (content: InvoiceContent, now: InvoiceContent): (keyof InvoiceContent)[] =>
  (Object.keys(content) as (keyof InvoiceContent)[]).filter((field) => !sameJson(content[field] ?? null, now[field] ?? null));

/** The body with its items completed from their products. */
function filled(
  body: UpdateInvoice,
  { currency, items: held }: Pick<InvoiceContent, 'currency' | 'items'>,
  { products }: Preconditions,
): { body: UpdateInvoice; problems: Details } {
  if (body.items === undefined) return { body, problems: {} };
  const { items, problems } = filledItems(body.items, { products, currency: body.currency ?? currency, held });
  return { body: items === body.items ? body : { ...body, items: [...items] }, problems };
}

function merged(body: UpdateInvoice, now: InvoiceContent, { default_tax_rate: rate }: Defaults): InvoiceContent {
  const { supply_date = now.supply_date, exchange_rate: exchange = now.exchange_rate } = body;
  const exchange_rate = exchange === undefined || exchange === null ? exchange : exactText(exchange);
  return {
    type: now.type,
    customer_id: body.customer_id ?? now.customer_id,
    items: body.items === undefined ? now.items : itemsOf(body.items, rate),
    discounts: body.discounts === undefined ? now.discounts : documentAdjustmentsOf(body.discounts),
    charges: body.charges === undefined ? now.charges : documentAdjustmentsOf(body.charges),
    currency: body.currency ?? now.currency,
    prices_include_tax: body.prices_include_tax ?? now.prices_include_tax,
    rounding: body.rounding ?? now.rounding,
    series: body.series ?? now.series,
    issue_date: body.issue_date === undefined ? now.issue_date : body.issue_date,
    due_date: body.due_date === undefined ? now.due_date : body.due_date,
    corrects: now.corrects,
    notes: body.notes === undefined ? now.notes : body.notes,
    metadata: body.metadata === undefined ? now.metadata : mergeMetadata(now.metadata, body.metadata),
    ...(supply_date === undefined ? {} : { supply_date }),
    ...(exchange_rate === undefined ? {} : { exchange_rate }),
    ...given(body, now),
  };
}

/** Optional fields that are taken as they are. Absent in what was stored before they were. */
const PLAIN = ['payment_method', 'unit', 'device', 'operator', 'correction_code'] as const;

const given = (body: UpdateInvoice, now: InvoiceContent): Pick<InvoiceContent, (typeof PLAIN)[number]> =>
  Object.fromEntries(
    PLAIN.flatMap((field) => {
      const value = body[field] === undefined ? now[field] : body[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );

const calculated = (
  content: InvoiceContent,
  body: UpdateInvoice,
  preconditions: Preconditions,
  { problems, stored }: { problems: Details; stored: Calculated | null },
): Calculated => ({
  content,
  totals: checkedTotals(content, body.items ?? [], { ...problems, ...dateProblems(body, preconditions, stored?.content) }, stored),
});

/** `now`: the content that is changed. Dates that it has stay, wherever the issuer has moved to since, and are judged again when it is submitted. */
function dateProblems(body: UpdateInvoice, { today }: Preconditions, now?: InvoiceContent): Details {
  const { issue_date: issued = now?.issue_date ?? null, due_date: due = now?.due_date ?? null } = body;
  const [isIssueNew, isDueNew] = [issued !== (now?.issue_date ?? null), due !== (now?.due_date ?? null)];
  return {
    ...(issued && isIssueNew && issued > today ? { issue_date: [`is in the future: today is ${today}.`] } : {}),
    ...(issued && due && (isIssueNew || isDueNew) && due < issued ? dueBeforeIssue(due, issued) : {}),
  };
}
