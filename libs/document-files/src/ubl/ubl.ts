import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { currencyDecimals, dayIn, decimal, invalidState, millisOf, numberText, round, sum, toText, type Decimal } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import { amountsOf, reasonsOf, type Group, type UblLine } from './amounts.ts';
import { missingOf, type Missing, type Stated } from './missing.ts';
import { amountText, notRepresentable } from './not-representable.ts';
import { buyerIds, sellerIds } from './identifiers.ts';
import { buyerParty, sellerParty } from './parties.ts';
import { paymentTerms } from './payment-terms.ts';
import { exemptions, type Vat } from './vat.ts';
import { textOf, xmlOf, type Node } from './xml.ts';

/** `exchange_rate`: the issuer's currency per unit of the document's. */
export type UblInvoice = InvoiceResource & { supply_date?: string | null; exchange_rate?: number | null };

/** The invoice that a credit note or corrective refers to. */
export interface Preceding {
  number: string;
  issue_date: string | null;
}

export interface Ubl {
  xml: string;
  /** Empty: the document conforms to EN 16931. */
  missing: Missing[];
}

const INVOICE = { root: 'Invoice', line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' } as const;
const CREDIT_NOTE = { root: 'CreditNote', line: 'cac:CreditNoteLine', quantity: 'cbc:CreditedQuantity' } as const;
type Syntax = typeof INVOICE | typeof CREDIT_NOTE;
/** Of UNCL 1001 (BT-3). */
const typeCodes = { standard: '380', corrective: '384', credit_note: '381' } as const;

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';

/**
 * UBL 2.1 by EN 16931 of a document that has its number. The same resource gives the same text. Throws invalid_state without a number,
 * not_representable for what EN 16931 has no place for; missing master data is reported, never refused.
 */
export function ublOf(invoice: UblInvoice, preceding: Preceding | null): Ubl {
  const { root, missing } = elementsOf(invoice, preceding);
  return { xml: xmlOf(root), missing };
}

/** What keeps a document's UBL from conforming, without its text. Throws what `ublOf` throws. */
export const missingIn = (invoice: UblInvoice, preceding: Preceding | null): Missing[] => elementsOf(invoice, preceding).missing;

/** The elements in the order of the schema, in comments the business terms. */
function elementsOf(invoice: UblInvoice, preceding: Preceding | null): { root: { [name: string]: Node }; missing: Missing[] } {
  const { number, issuer, customer, currency, issue_date, issued_at, due_date, supply_date, type } = invoice;
  if (number === null || issuer === null) throw invalidState('UBL', invoice.status, invoice.available_actions, 'it has no number yet.');
  const amounts = amountsOf(invoice);
  const outside = amounts.groups.some(({ vat }) => vat.code === 'O');
  const hasIntraCommunity = amounts.groups.some(({ vat }) => vat.code === 'K');
  if (hasIntraCommunity && !supply_date) throw notRepresentable('supply_date', 'is missing: an intra-community supply (K) states its day.');
  const stated: Stated = { ...amounts, invoice, preceding, seller: sellerIds(issuer, outside), buyer: buyerIds(customer, outside) };

  const syntax = type === 'credit_note' ? CREDIT_NOTE : INVOICE;
  const isInvoice = syntax === INVOICE;
  const deliveredTo = hasIntraCommunity ? textOf(customer?.address?.country) : undefined;
  const document: Node = {
    '@xmlns': `${UBL}:${syntax.root}-2`,
    '@xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
    '@xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
    'cbc:CustomizationID': 'urn:cen.eu:en16931:2017', // BT-24
    'cbc:ID': number, // BT-1
    'cbc:IssueDate': issue_date ?? (issued_at ? dayIn(issuer.time_zone ?? 'UTC', millisOf(issued_at)) : undefined), // BT-2
    'cbc:DueDate': isInvoice ? (due_date ?? undefined) : undefined, // BT-9
    [`cbc:${syntax.root}TypeCode`]: typeCodes[type], // BT-3
    'cbc:Note': noteOf(invoice.notes), // BT-21, BT-22
    'cbc:DocumentCurrencyCode': currency, // BT-5
    'cbc:TaxCurrencyCode': accountingCurrency(invoice), // BT-6
    'cac:BillingReference': preceding ? billingReference(preceding) : undefined, // BG-3
    'cac:AccountingSupplierParty': sellerParty(issuer, stated.seller), // BG-4
    'cac:AccountingCustomerParty': buyerParty(customer, stated.buyer), // BG-7
    'cac:Delivery': supply_date
      ? {
          'cbc:ActualDeliveryDate': supply_date, // BT-72
          'cac:DeliveryLocation': deliveredTo && { 'cac:Address': { 'cac:Country': { 'cbc:IdentificationCode': deliveredTo } } }, // BT-80
        }
      : undefined,
    'cac:PaymentTerms': paymentTerms(invoice), // BT-20
    'cac:AllowanceCharge': amounts.groups.flatMap((group) => documentAdjustments(group, currency)), // BG-20, BG-21
    'cac:TaxTotal': taxTotals(amounts.groups, invoice), // BG-23
    'cac:LegalMonetaryTotal': monetaryTotal(amounts.groups, invoice), // BG-22
    [syntax.line]: amounts.lines.map((line, n) => lineElement(line, n, invoice, syntax)), // BG-25
  };
  return { root: { [syntax.root]: document }, missing: missingOf(stated) };
}

/** A note whose first two `#` enclose three characters would be read as one with a subject code (BR-CL-08): it gets that of general information. */
const noteOf = (notes: string | null): string | undefined => textOf(notes && /^[^#]*#[^#]{3}#/u.test(notes) ? `#AAI#${notes}` : notes);

const money = (amount: Decimal | string, currency: string): Node => ({ '@currencyID': currency, '#text': amountText(amount) });
const taxCategory = ({ code, rate }: Vat, reason: { [name: string]: Node } = {}): Node => ({
  'cbc:ID': code,
  'cbc:Percent': code === 'O' ? undefined : rate,
  ...reason,
  'cac:TaxScheme': { 'cbc:ID': 'VAT' },
});

const billingReference = ({ number, issue_date }: Preceding): Node => ({
  'cac:InvoiceDocumentReference': { 'cbc:ID': number, 'cbc:IssueDate': issue_date ?? undefined }, // BT-25, BT-26
});

/** A discount, charge or the like of the document or of a line; none where it is nothing. */
function adjustment(isCharge: boolean, amount: Decimal, reason: string, currency: string, category?: Node): Node[] {
  if (amount.eq('0')) return [];
  return [
    {
      'cbc:ChargeIndicator': String(isCharge),
      'cbc:AllowanceChargeReason': reason,
      'cbc:Amount': money(amount, currency),
      'cac:TaxCategory': category,
    },
  ];
}

const documentAdjustments = ({ vat, allowance, allowanceReason, charge, chargeReason }: Group, currency: string): Node[] => [
  ...adjustment(false, allowance, allowanceReason, currency, taxCategory(vat)),
  ...adjustment(true, charge, chargeReason, currency, taxCategory(vat)),
];

function taxTotals(groups: Group[], invoice: UblInvoice): Node[] {
  const { currency, exchange_rate, tax_total } = invoice;
  const subtotals = groups.map(({ vat, base, tax, reasons }) => {
    const standard = exemptions[vat.code];
    return {
      'cbc:TaxableAmount': money(base, currency),
      'cbc:TaxAmount': money(tax, currency),
      'cac:TaxCategory': taxCategory(vat, {
        'cbc:TaxExemptionReasonCode': standard?.code,
        'cbc:TaxExemptionReason': textOf([...reasons].join('; ')) ?? standard?.text,
      }),
    };
  });
  const total: Node = { 'cbc:TaxAmount': money(numberText(tax_total), currency), 'cac:TaxSubtotal': subtotals };
  const accounting = accountingCurrency(invoice);
  if (!accounting) return [total];
  const converted = decimal(numberText(tax_total)).times(exactText(exchange_rate ?? 0));
  return [total, { 'cbc:TaxAmount': money(round(converted, currencyDecimals(accounting) ?? 2), accounting) }]; // BT-111
}

/** The issuer's, where the document has another and the rate between both. */
const accountingCurrency = ({ issuer, currency, exchange_rate }: UblInvoice): string | undefined =>
  issuer?.currency && issuer.currency !== currency && exchange_rate ? issuer.currency : undefined;

/** Retentions and credit notes lower no amount here: what is payable (BT-115) is the total less what is paid (BR-CO-16). */
function monetaryTotal(groups: Group[], { currency, subtotal, total, amount_paid }: UblInvoice): Node {
  const sumOf = (of: (group: Group) => Decimal): Node => money(sum(groups.map(of)), currency);
  const ifAny = (of: (group: Group) => Decimal): Node => (groups.some((group) => !of(group).eq('0')) ? sumOf(of) : undefined);
  const [whole, paid] = [decimal(numberText(total)), decimal(numberText(amount_paid))];
  return {
    'cbc:LineExtensionAmount': sumOf(({ lines }) => lines), // BT-106
    'cbc:TaxExclusiveAmount': money(numberText(subtotal), currency), // BT-109
    'cbc:TaxInclusiveAmount': money(whole, currency), // BT-112
    'cbc:AllowanceTotalAmount': ifAny(({ allowance }) => allowance), // BT-107
    'cbc:ChargeTotalAmount': ifAny(({ charge }) => charge), // BT-108
    'cbc:PrepaidAmount': paid.eq('0') ? undefined : money(paid, currency), // BT-113
    'cbc:PayableAmount': money(whole.minus(paid), currency), // BT-115
  };
}

/** A name is on one line; a text of several lines is the description too. */
const describing = (text: string | null): { [name: string]: Node } => ({
  'cbc:Description': textOf(text?.includes('\n') ? text : undefined), // BT-154
  'cbc:Name': textOf(text?.replaceAll('\n', ' ')), // BT-153
});

function lineElement({ amount, allowance, charge, price, vat }: UblLine, n: number, { items, currency }: UblInvoice, syntax: Syntax): Node {
  const { quantity = 1, unit = 'C62', description = null, discounts = [], charges = [] } = items[n] ?? {};
  return {
    'cbc:ID': String(n + 1), // BT-126
    [syntax.quantity]: { '@unitCode': unit, '#text': exactText(quantity) }, // BT-129, BT-130
    'cbc:LineExtensionAmount': money(amount, currency), // BT-131
    'cac:AllowanceCharge': [
      ...adjustment(false, allowance, reasonsOf(discounts, 'Discount'), currency),
      ...adjustment(true, charge, reasonsOf(charges, 'Charge'), currency),
    ], // BG-27, BG-28
    'cac:Item': { ...describing(description), 'cac:ClassifiedTaxCategory': taxCategory(vat) }, // BG-30
    'cac:Price': { 'cbc:PriceAmount': { '@currencyID': currency, '#text': toText(decimal(price)) } }, // BT-146
  };
}
