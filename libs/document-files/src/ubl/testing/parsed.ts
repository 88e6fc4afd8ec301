import { decimal, type Decimal } from '@svc/kernel';
import { XMLParser } from 'fast-xml-parser';

const LISTS = new Set([
  'InvoiceLine',
  'CreditNoteLine',
  'AllowanceCharge',
  'TaxTotal',
  'TaxSubtotal',
  'PartyTaxScheme',
  'BillingReference',
]);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  removeNSPrefix: true,
  isArray: (name) => LISTS.has(name),
});

/** An element as the parser gives it; a text where it has neither attributes nor children. */
type Element = { [name: string]: Element } & Element[] & string;

/** The text at a path, such as `LegalMonetaryTotal/PayableAmount`; undefined where there is none. */
export function at(element: Element | undefined, path: string): string | undefined {
  const found = path.split('/').reduce<Element | undefined>((within, name) => within?.[name], element);
  return typeof found === 'object' ? (found['#text'] as string | undefined) : found;
}
export const amountAt = (element: Element | undefined, path: string): Decimal => decimal(at(element, path) ?? '0');
export const list = (element: Element | undefined, name: string): Element[] => (element?.[name] as Element[] | undefined) ?? [];

export interface Parsed {
  document: Element;
  root: 'Invoice' | 'CreditNote';
  lines: Element[];
  allowances: Element[];
  charges: Element[];
  /** Of the document's currency. */
  taxTotal: Element | undefined;
  accountingTaxTotal: Element | undefined;
  subtotals: Element[];
  totals: Element | undefined;
  seller: Element | undefined;
  buyer: Element | undefined;
}

export function parsed(xml: string): Parsed {
  const whole = parser.parse(xml) as Record<string, Element>;
  const root = whole['Invoice'] ? 'Invoice' : 'CreditNote';
  const document = whole[root]!;
  const adjustments = list(document, 'AllowanceCharge');
  const [taxTotal, accountingTaxTotal] = list(document, 'TaxTotal');
  return {
    document,
    root,
    lines: list(document, `${root}Line`),
    allowances: adjustments.filter((one) => at(one, 'ChargeIndicator') === 'false'),
    charges: adjustments.filter((one) => at(one, 'ChargeIndicator') === 'true'),
    taxTotal,
    accountingTaxTotal,
    subtotals: list(taxTotal, 'TaxSubtotal'),
    totals: document['LegalMonetaryTotal'],
    seller: document['AccountingSupplierParty']?.['Party'],
    buyer: document['AccountingCustomerParty']?.['Party'],
  };
}
