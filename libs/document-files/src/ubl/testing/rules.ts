import { decimal, percentOf, sum, type Decimal } from '@svc/kernel';
import { amountAt, at, list, type Parsed } from './parsed.ts';

/** A rule of EN 16931 by its published id. `check`: one result for each place that the rule applies to. */
export interface Rule {
  id: string;
  check: (document: Parsed) => boolean[];
}
type Element = Parsed['lines'][number];

const total = (elements: Element[], path: string): Decimal => sum(elements.map((element) => amountAt(element, path)));
const isNear = (one: Decimal, other: Decimal, most: string): boolean => one.minus(other).lte(most) && other.minus(one).lte(most);
/** Equal to the sum where there are any, else absent. */
const isSumOf = (totals: Element | undefined, name: string, of: Element[]): boolean =>
  of.length === 0 ? at(totals, name) === undefined : amountAt(totals, name).eq(total(of, 'Amount'));

const sums: Rule[] = [
  { id: 'BR-CO-10', check: ({ totals, lines }) => [amountAt(totals, 'LineExtensionAmount').eq(total(lines, 'LineExtensionAmount'))] },
  { id: 'BR-CO-11', check: ({ totals, allowances }) => [isSumOf(totals, 'AllowanceTotalAmount', allowances)] },
  { id: 'BR-CO-12', check: ({ totals, charges }) => [isSumOf(totals, 'ChargeTotalAmount', charges)] },
  {
    id: 'BR-CO-13',
    check: ({ totals, lines, allowances, charges }) => [
      amountAt(totals, 'TaxExclusiveAmount').eq(
        total(lines, 'LineExtensionAmount').minus(total(allowances, 'Amount')).plus(total(charges, 'Amount')),
      ),
    ],
  },
  { id: 'BR-CO-14', check: ({ taxTotal, subtotals }) => [amountAt(taxTotal, 'TaxAmount').eq(total(subtotals, 'TaxAmount'))] },
  {
    id: 'BR-CO-15',
    check: ({ totals, taxTotal }) => [
      amountAt(totals, 'TaxInclusiveAmount').eq(amountAt(totals, 'TaxExclusiveAmount').plus(amountAt(taxTotal, 'TaxAmount'))),
    ],
  },
  {
    id: 'BR-CO-16',
    check: ({ totals }) => [
      amountAt(totals, 'PayableAmount').eq(amountAt(totals, 'TaxInclusiveAmount').minus(amountAt(totals, 'PrepaidAmount'))),
    ],
  },
  {
    id: 'BR-CO-17',
    check: ({ subtotals }) => subtotals.map((subtotal) => isNear(amountAt(subtotal, 'TaxAmount'), taxDue(subtotal), '0.01')),
  },
  { id: 'BR-CO-18', check: ({ subtotals }) => [subtotals.length > 0] },
];

const taxDue = (subtotal: Element): Decimal =>
  percentOf(amountAt(subtotal, 'TaxableAmount'), decimal(at(subtotal, 'TaxCategory/Percent') ?? '0'));

const isVat = (one: Element): boolean => at(one, 'TaxScheme/ID') === 'VAT';
const vatNumber = (party: Element | undefined): string | undefined => at(list(party, 'PartyTaxScheme').find(isVat), 'CompanyID');
const anyTaxNumber = (party: Element | undefined): boolean => list(party, 'PartyTaxScheme').some((one) => Boolean(at(one, 'CompanyID')));
const legalId = (party: Element | undefined): boolean => Boolean(at(party, 'PartyLegalEntity/CompanyID'));

interface CodeRules {
  code: string;
  /** As the rules spell it. */
  name: string;
  rate: (percent: string | undefined) => boolean;
  parties: (document: Parsed) => boolean;
  needsReason: boolean;
}

const ofLine = 'Item/ClassifiedTaxCategory';
const isZero = (percent: string | undefined): boolean => percent !== undefined && decimal(percent).eq('0');
const seller = (document: Parsed): boolean => anyTaxNumber(document.seller);

/** BR-S-01 to BR-S-10, and the same ten of every other code. */
function codeRules({ code, name, rate, parties, needsReason }: CodeRules): Rule[] {
  const of = (elements: Element[], category = 'TaxCategory'): Element[] => elements.filter((one) => at(one, `${category}/ID`) === code);
  const rates = (elements: Element[], category = 'TaxCategory'): boolean[] =>
    of(elements, category).map((one) => rate(at(one, `${category}/Percent`)));
  const whole = (document: Parsed): Element[] => [...of(document.lines, ofLine), ...of(document.allowances), ...of(document.charges)];
  const same = (elements: Element[], percent: string | undefined, category = 'TaxCategory'): Element[] =>
    of(elements, category).filter((one) => at(one, `${category}/Percent`) === percent);
  const checks: Rule['check'][] = [
    (document) => {
      const { length } = of(document.subtotals);
      if (whole(document).length === 0) return length === 0 ? [] : [false];
      return [code === 'S' ? length > 0 : length === 1];
    },
    (document) => of(document.lines, ofLine).map(() => parties(document)),
    (document) => of(document.allowances).map(() => parties(document)),
    (document) => of(document.charges).map(() => parties(document)),
    ({ lines }) => rates(lines, ofLine),
    ({ allowances }) => rates(allowances),
    ({ charges }) => rates(charges),
    ({ subtotals, lines, allowances, charges }) =>
      of(subtotals).map((subtotal) => {
        const percent = at(subtotal, 'TaxCategory/Percent');
        const base = total(same(lines, percent, ofLine), 'LineExtensionAmount')
          .minus(total(same(allowances, percent), 'Amount'))
          .plus(total(same(charges, percent), 'Amount'));
        return amountAt(subtotal, 'TaxableAmount').eq(base);
      }),
    ({ subtotals }) =>
      of(subtotals).map((subtotal) => isNear(amountAt(subtotal, 'TaxAmount'), taxDue(subtotal), code === 'S' ? '0.01' : '0')),
    ({ subtotals }) =>
      of(subtotals).map(({ TaxCategory }) => {
        const hasReason = Boolean(at(TaxCategory, 'TaxExemptionReason') ?? at(TaxCategory, 'TaxExemptionReasonCode'));
        return hasReason === needsReason;
      }),
  ];
  return checks.map((check, n) => ({ id: `BR-${name}-${String(n + 1).padStart(2, '0')}`, check }));
}

const codes: CodeRules[] = [
  { code: 'S', name: 'S', rate: (percent = '0') => decimal(percent).cmp('0') > 0, parties: seller, needsReason: false },
  { code: 'Z', name: 'Z', rate: isZero, parties: seller, needsReason: false },
  { code: 'E', name: 'E', rate: isZero, parties: seller, needsReason: true },
  {
    code: 'AE',
    name: 'AE',
    rate: isZero,
    parties: (document) => seller(document) && (Boolean(vatNumber(document.buyer)) || legalId(document.buyer)),
    needsReason: true,
  },
  {
    code: 'K',
    name: 'IC',
    rate: isZero,
    parties: ({ seller, buyer }) => Boolean(vatNumber(seller)) && Boolean(vatNumber(buyer)),
    needsReason: true,
  },
  { code: 'G', name: 'G', rate: isZero, parties: ({ seller }) => Boolean(vatNumber(seller)), needsReason: true },
  {
    code: 'O',
    name: 'O',
    rate: (percent) => percent === undefined,
    parties: ({ seller, buyer }) => !vatNumber(seller) && !vatNumber(buyer),
    needsReason: true,
  },
];

/** At most two decimals. */
const twoDecimals = (id: string, of: (document: Parsed) => (string | undefined)[]): Rule => ({
  id,
  check: (document) => of(document).flatMap((text) => (text === undefined ? [] : [/^-?\d+(\.\d{1,2})?$/.test(text)])),
});
const amountsIn = (elements: Element[], path = 'Amount'): (string | undefined)[] => elements.map((element) => at(element, path));
const ofLines = ({ lines }: Parsed, isCharge: string): Element[] =>
  lines.flatMap((one) => list(one, 'AllowanceCharge').filter((each) => at(each, 'ChargeIndicator') === isCharge));

const decimals: Rule[] = [
  twoDecimals('BR-DEC-01', ({ allowances }) => amountsIn(allowances)),
  twoDecimals('BR-DEC-05', ({ charges }) => amountsIn(charges)),
  twoDecimals('BR-DEC-09', ({ totals }) => [at(totals, 'LineExtensionAmount')]),
  twoDecimals('BR-DEC-10', ({ totals }) => [at(totals, 'AllowanceTotalAmount')]),
  twoDecimals('BR-DEC-11', ({ totals }) => [at(totals, 'ChargeTotalAmount')]),
  twoDecimals('BR-DEC-12', ({ totals }) => [at(totals, 'TaxExclusiveAmount')]),
  twoDecimals('BR-DEC-13', ({ taxTotal }) => [at(taxTotal, 'TaxAmount')]),
  twoDecimals('BR-DEC-14', ({ totals }) => [at(totals, 'TaxInclusiveAmount')]),
  twoDecimals('BR-DEC-15', ({ accountingTaxTotal }) => [at(accountingTaxTotal, 'TaxAmount')]),
  twoDecimals('BR-DEC-16', ({ totals }) => [at(totals, 'PrepaidAmount')]),
  twoDecimals('BR-DEC-18', ({ totals }) => [at(totals, 'PayableAmount')]),
  twoDecimals('BR-DEC-19', ({ subtotals }) => amountsIn(subtotals, 'TaxableAmount')),
  twoDecimals('BR-DEC-20', ({ subtotals }) => amountsIn(subtotals, 'TaxAmount')),
  twoDecimals('BR-DEC-23', ({ lines }) => amountsIn(lines, 'LineExtensionAmount')),
  twoDecimals('BR-DEC-24', (document) => amountsIn(ofLines(document, 'false'))),
  twoDecimals('BR-DEC-27', (document) => amountsIn(ofLines(document, 'true'))),
];

const has = ({ subtotals }: Parsed, code: string): boolean => subtotals.some((one) => at(one, 'TaxCategory/ID') === code);
/** Each of these has text at one of the paths. */
const present = (id: string, of: (document: Parsed) => (Element | undefined)[], ...paths: string[]): Rule => ({
  id,
  check: (document) => of(document).map((one) => paths.some((path) => Boolean(at(one, path)))),
});
const whole = ({ document }: Parsed): Element[] => [document];
const inLines = ({ lines }: Parsed): Element[] => lines;
const inSubtotals = ({ subtotals }: Parsed): Element[] => subtotals;
const ofSeller = (document: Parsed): (Element | undefined)[] => [document.seller];
const ofBuyer = (document: Parsed): (Element | undefined)[] => [document.buyer];
const inTotals = ({ totals }: Parsed): (Element | undefined)[] => [totals];
/** Two rules of the same wording. */
const reasons = (ids: readonly [string, string], of: (document: Parsed) => Element[]): Rule[] =>
  ids.map((id) => present(id, of, 'AllowanceChargeReason'));

const presence: Rule[] = [
  present('BR-01', whole, 'CustomizationID'),
  present('BR-02', whole, 'ID'),
  present('BR-03', whole, 'IssueDate'),
  present('BR-04', whole, 'InvoiceTypeCode', 'CreditNoteTypeCode'),
  present('BR-05', whole, 'DocumentCurrencyCode'),
  present('BR-06', ofSeller, 'PartyLegalEntity/RegistrationName'),
  present('BR-07', ofBuyer, 'PartyLegalEntity/RegistrationName'),
  { id: 'BR-08', check: ({ seller }) => [seller?.['PostalAddress'] !== undefined] },
  present('BR-09', ofSeller, 'PostalAddress/Country/IdentificationCode'),
  { id: 'BR-10', check: ({ buyer }) => [buyer?.['PostalAddress'] !== undefined] },
  present('BR-11', ofBuyer, 'PostalAddress/Country/IdentificationCode'),
  present('BR-12', inTotals, 'LineExtensionAmount'),
  present('BR-13', inTotals, 'TaxExclusiveAmount'),
  present('BR-14', inTotals, 'TaxInclusiveAmount'),
  present('BR-15', inTotals, 'PayableAmount'),
  { id: 'BR-16', check: ({ lines }) => [lines.length > 0] },
  present('BR-21', inLines, 'ID'),
  present('BR-22', inLines, 'InvoicedQuantity', 'CreditedQuantity'),
  present('BR-23', inLines, 'InvoicedQuantity/@unitCode', 'CreditedQuantity/@unitCode'),
  present('BR-24', inLines, 'LineExtensionAmount'),
  present('BR-25', inLines, 'Item/Name'),
  present('BR-26', inLines, 'Price/PriceAmount'),
  present('BR-CO-04', inLines, 'Item/ClassifiedTaxCategory/ID'),
  present('BR-31', ({ allowances }) => allowances, 'Amount'),
  present('BR-32', ({ allowances }) => allowances, 'TaxCategory/ID'),
  ...reasons(['BR-33', 'BR-CO-21'], ({ allowances }) => allowances),
  present('BR-36', ({ charges }) => charges, 'Amount'),
  present('BR-37', ({ charges }) => charges, 'TaxCategory/ID'),
  ...reasons(['BR-38', 'BR-CO-22'], ({ charges }) => charges),
  present('BR-41', (document) => ofLines(document, 'false'), 'Amount'),
  ...reasons(['BR-42', 'BR-CO-23'], (document) => ofLines(document, 'false')),
  present('BR-43', (document) => ofLines(document, 'true'), 'Amount'),
  ...reasons(['BR-44', 'BR-CO-24'], (document) => ofLines(document, 'true')),
  present('BR-45', inSubtotals, 'TaxableAmount'),
  present('BR-46', inSubtotals, 'TaxAmount'),
  present('BR-47', inSubtotals, 'TaxCategory/ID'),
  present('BR-55', ({ document }) => list(document, 'BillingReference'), 'InvoiceDocumentReference/ID'),
];

/** Each text is one of the list. */
const listed = (id: string, of: (document: Parsed) => (string | undefined)[], codeList: readonly string[]): Rule => ({
  id,
  check: (document) => of(document).flatMap((text) => (text === undefined ? [] : [codeList.includes(text)])),
});
const vatCodes = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'];

/** Of the code lists what our documents can have. */
const codeLists: Rule[] = [
  listed('BR-CL-01', ({ document }) => [at(document, 'InvoiceTypeCode') ?? at(document, 'CreditNoteTypeCode')], ['380', '381', '384']),
  listed(
    'BR-CL-17',
    ({ subtotals, allowances, charges }) => [...subtotals, ...allowances, ...charges].map((one) => at(one, 'TaxCategory/ID')),
    vatCodes,
  ),
  listed('BR-CL-18', ({ lines }) => lines.map((one) => at(one, `${ofLine}/ID`)), vatCodes),
  listed('BR-CL-22', ({ subtotals }) => subtotals.map((one) => at(one, 'TaxCategory/TaxExemptionReasonCode')), [
    'VATEX-EU-AE',
    'VATEX-EU-IC',
    'VATEX-EU-G',
    'VATEX-EU-O',
  ]),
];

const others: Rule[] = [
  {
    id: 'BR-CO-25',
    check: ({ document, totals }) =>
      amountAt(totals, 'PayableAmount').cmp('0') > 0 ? [Boolean(at(document, 'DueDate') ?? at(document, 'PaymentTerms/Note'))] : [],
  },
  {
    id: 'BR-48',
    check: ({ subtotals }) => subtotals.map((one) => at(one, 'TaxCategory/Percent') !== undefined || at(one, 'TaxCategory/ID') === 'O'),
  },
  {
    id: 'BR-CO-09',
    check: (document) =>
      [document.seller, document.buyer].flatMap((party) => {
        const number = vatNumber(party);
        return number === undefined ? [] : [/^(?:AT|BE|CH|DE|EL|ES|FR|GB|XI)/.test(number)];
      }),
  },
  { id: 'BR-CO-26', check: ({ seller }) => [Boolean(vatNumber(seller)) || legalId(seller)] },
  { id: 'BR-IC-11', check: (document) => (has(document, 'K') ? [Boolean(at(document.document, 'Delivery/ActualDeliveryDate'))] : []) },
  {
    id: 'BR-IC-12',
    check: (document) =>
      has(document, 'K') ? [Boolean(at(document.document, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode'))] : [],
  },
  {
    id: 'BR-57',
    check: ({ document }) => {
      const location = document['Delivery']?.['DeliveryLocation'];
      return location ? [Boolean(at(location, 'Address/Country/IdentificationCode'))] : [];
    },
  },
  { id: 'BR-O-11', check: (document) => (has(document, 'O') ? [document.subtotals.length === 1] : []) },
  { id: 'BR-O-12', check: (document) => (has(document, 'O') ? document.lines.map((one) => at(one, `${ofLine}/ID`) === 'O') : []) },
  { id: 'BR-O-13', check: (document) => (has(document, 'O') ? document.allowances.map((one) => at(one, 'TaxCategory/ID') === 'O') : []) },
  { id: 'BR-O-14', check: (document) => (has(document, 'O') ? document.charges.map((one) => at(one, 'TaxCategory/ID') === 'O') : []) },
  { id: 'BR-53', check: ({ document, accountingTaxTotal }) => (at(document, 'TaxCurrencyCode') ? [accountingTaxTotal !== undefined] : []) },
  { id: 'BR-27', check: ({ lines }) => lines.map((one) => amountAt(one, 'Price/PriceAmount').cmp('0') >= 0) },
];

export const rules: Rule[] = [...sums, ...codes.flatMap(codeRules), ...decimals, ...presence, ...codeLists, ...others];
