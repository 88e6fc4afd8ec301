import { MOST_WARNINGS, type Warning } from '@svc/contracts/invoice/warnings';
import { decimal, toText, ZERO, type Day } from '@svc/kernel';
import { whole } from '../document/domain/parties.ts';
import { buyerIds } from '@svc/document-files/ubl/identifiers';
import type { CustomerState } from '../customer/domain/state.ts';

interface Tax {
  category: string;
  code: string;
  /** Per cent, decimal text. */
  rate: string;
}

/** What of an invoice is looked at. `unit_price`: decimal text. */
export interface Warned {
  issue_date: Day | null;
  due_date: Day | null;
  corrects: string | null;
  items: readonly { unit_price: string; taxes: readonly Tax[] }[];
  discounts: readonly { taxes?: readonly Tax[] }[];
  charges: readonly { taxes?: readonly Tax[] }[];
}

/** What of a customer is looked at. */
export type WarnedCustomer = Pick<CustomerState, 'id' | 'language' | 'personal' | 'deleted_at'>;

/** What the warnings depend on besides the content, as it is now. */
export interface Surroundings {
  /** undefined: none is named, as in a preview. */
  customer: WarnedCustomer | undefined;
  /** In the issuer's time zone; undefined: it does not matter (`mayBePast`). */
  today: Day | undefined;
}

/** Whether it depends on the day what is warned of. */
export const mayBePast = ({ issue_date: issued, due_date: due }: Pick<Warned, 'issue_date' | 'due_date'>): boolean =>
  issued === null && due !== null;

/** What is probably not meant in a draft, at most `MOST_WARNINGS`. Linear in the content. */
export const warningsOf = (content: Warned, surroundings: Surroundings): Warning[] =>
  all(content, surroundings).take(MOST_WARNINGS).toArray();

function* all(content: Warned, { customer, today }: Surroundings): Generator<Warning> {
  const { issue_date: issued, due_date: due } = content;
  if (issued === null && due !== null && today !== undefined && due < today)
    yield {
      field: 'due_date',
      code: 'due_date_passed',
      message: `${due} has passed. The invoice is issued on the day of its submission, today ${today}, and is refused with an earlier due_date.`,
    };
  if (customer) yield* ofCustomer(content, customer);
  for (const [n, { unit_price }] of content.items.entries())
    if (decimal(unit_price).eq(ZERO))
      yield { field: `items.${n}.unit_price`, code: 'price_is_zero', message: 'The unit price is 0: the line adds nothing to the total.' };
  for (const { path, rate } of ratesOf(content))
    if (decimal(rate).cmp(ZERO) > 0 && decimal(rate).cmp('1') < 0)
      yield {
        field: path,
        code: 'rate_below_one',
        message: `The rate is ${rate} %. Rates are per cent: for ${toText(decimal(rate).times('100'))} % send ${toText(decimal(rate).times('100'))}.`,
      };
}

/** What EN 16931 asks for of the buyer (BR-07, BR-11, BR-CL-14, BR-AE-02, BR-IC-02). */
function* ofCustomer({ items, corrects }: Warned, customer: WarnedCustomer): Generator<Warning> {
  if (customer.deleted_at !== null && corrects === null)
    yield {
      field: 'customer_id',
      code: 'customer_deleted',
      message: 'The customer was deleted, and the submission is refused. Name another.',
    };
  const { name, address } = customer.personal ?? { name: null, address: null };
  if (!name)
    yield { field: 'customer.name', code: 'customer_name_missing', message: 'The buyer has no name, which EN 16931 asks for (BR-07).' };
  const country = address?.country;
  if (!country)
    yield {
      field: 'customer.address.country',
      code: 'customer_country_missing',
      message: 'The address of the buyer has no country, which EN 16931 asks for (BR-11). Set it by PATCH /v1/customers/{id}.',
    };
  if (country === 'XK')
    yield {
      field: 'customer.address.country',
      code: 'customer_country_unassigned',
      message: 'XK is no code of ISO 3166-1, which EN 16931 asks for (BR-CL-14): the UBL will not conform.',
    };
  const buyer = buyerIds(whole(customer, customer.personal), false);
  const has = (wanted: string): boolean =>
    items.some(({ taxes }) => taxes.some(({ category, code }) => category === 'VAT' && code === wanted));
  if ((has('AE') && !buyer.vat && !buyer.other) || (has('K') && !buyer.vat))
    yield {
      field: 'customer.tax_id',
      code: 'customer_tax_id_missing',
      message:
        'With reverse charge EN 16931 asks for a tax identifier of the buyer (BR-AE-02), with an intra-community supply for the VAT identifier (BR-IC-02).',
    };
}

/** Every rate of the document with its path. */
function* ratesOf(content: Warned): Generator<{ path: string; rate: string }> {
  for (const list of ['items', 'discounts', 'charges'] as const)
    for (const [n, { taxes = [] }] of content[list].entries())
      for (const [m, { rate }] of taxes.entries()) yield { path: `${list}.${n}.taxes.${m}.rate`, rate };
}
