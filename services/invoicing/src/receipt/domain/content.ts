import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import {
  currencyDecimals,
  dayIn,
  decimal,
  invalid,
  millisOf,
  ofCountryRule,
  sum,
  toText,
  type Details,
  type DomainError,
} from '@svc/kernel';
import { rulesOfAuthority } from '@svc/tax-rules';
import { besidesPlace, placeProblems, pointOfSale, staffAt } from '../../issuer/domain/point-of-sale.ts';
import { amountsOf, countryProblems, takesBack } from '../../document/domain/country-rules.ts';
import type { FrozenCustomer } from '../../document/domain/parties.ts';
import type { IssuerState } from '../../issuer/domain/state.ts';
import { filledItems, type Products } from '../../product/domain/lines.ts';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import { exactText, itemsOf } from '@svc/totals/line';
import { checkedTotals } from '@svc/totals/totals';
import type { Totals } from '@svc/totals/terms';
import type { ReceiptContent } from './state.ts';

/** What a receipt is made from. `products`: those that its items name; `problems`: what was found out elsewhere. */
interface Around {
  issuer: IssuerState;
  products: Products;
  numbering: Numbering | DomainError;
  problems: Details;
  /** Absent: a receipt without a customer, or with one that does not exist. */
  customer: FrozenCustomer | undefined;
  /** When it is issued (ISO 8601). */
  at: string;
}

/** A new receipt. Throws validation_error naming all that is wrong. */
export function receiptContent(
  body: CreateReceipt,
  { issuer, products, numbering, problems, customer, at }: Around,
): { content: ReceiptContent; totals: Totals } {
  const sale = pointOfSale(body, issuer);
  const { late_reason = null } = body;
  const currency = body.currency ?? issuer.currency;
  const filled = filledItems(body.items, { products, currency });
  const content: ReceiptContent = {
    customer_id: body.customer_id ?? null,
    items: itemsOf(filled.items, issuer.default_tax_rate),
    discounts: [],
    charges: [],
    currency,
    prices_include_tax: body.prices_include_tax ?? true,
    rounding: issuer.rounding,
    series: issuer.series.receipt.code,
    ...sale,
    payment_method: body.payment_method ?? null,
    payments: (body.payments ?? []).map(({ method, amount }) => ({ method, amount: exactText(amount) })),
    notes: body.notes ?? null,
    metadata: body.metadata ?? {},
  };
  const issuing = { issuer: { ...issuer, devices: [], ...staffAt(sale, issuer) }, numbering, customer };
  const judged = { ...content, type: 'receipt' as const, late_reason, issue_date: dayIn(issuer.time_zone, millisOf(at)) };
  const place = placeProblems(sale, issuer);
  const totals = checkedTotals(content, filled.items, {
    ...problems,
    ...filled.problems,
    ...place,
    ...descriptionProblems(content),
    ...amountProblems(content),
    ...besidesPlace(countryProblems(judged, issuing), place),
    ...(content.payments.length === 0 && content.payment_method === null ? { payment_method: ['is required, or payments.'] } : {}),
  });
  const byTotals = countryProblems({ ...judged, takes_back: takesBack(content, totals), amounts: amountsOf(totals) }, issuing);
  if (Object.keys(byTotals).length > 0) throw invalid(byTotals);
  checkTotal(totals, issuer);
  return { content: settled(content, totals), totals };
}

const descriptionProblems = ({ items }: ReceiptContent): Details =>
  Object.fromEntries(
    items.flatMap(({ description }, n) => (description === null ? [[`items.${n}.description`, ['is needed on a receipt.']]] : [])),
  );

function amountProblems({ payments, currency }: ReceiptContent): Details {
  const decimals = currencyDecimals(currency) ?? 0;
  const tooFine = payments.flatMap(({ amount }, n) => ((amount.split('.')[1] ?? '').length > decimals ? [n] : []));
  return Object.fromEntries(tooFine.map((n) => [`payments.${n}.amount`, [`has at most ${decimals} decimals in this currency.`]]));
}

/** Throws validation_error where the authority takes no receipt over so much. */
function checkTotal({ total }: Totals, { authority }: Pick<IssuerState, 'authority'>): void {
  const rules = rulesOfAuthority(authority);
  const limit = rules?.receipt_total;
  if (!limit || decimal(total).cmp(limit.most) <= 0) return;
  const message = `come to a total of ${total}, and a receipt has at most ${limit.most}: issue an invoice (${limit.source}).`;
  throw invalid({ items: [ofCountryRule(message, `${rules.id}.receipt_total`)] });
}

/** With its payments, which add up to the total. Throws where they do not, and where the total is below 0: what goes back is another document's to say. */
function settled(content: ReceiptContent, { total }: Totals): ReceiptContent {
  const { payments, payment_method: method } = content;
  if (decimal(total).cmp('0') < 0)
    throw invalid({ items: [`come to a total of ${total}, below 0: void the receipt that they take back.`] });
  if (method !== null) return { ...content, payments: [{ method, amount: total }] };
  const paid = sum(payments.map(({ amount }) => decimal(amount)));
  if (!paid.eq(total)) throw invalid({ payments: [`add up to ${toText(paid)}, the total is ${total}.`] });
  return content;
}
