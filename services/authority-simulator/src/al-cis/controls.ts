import { decimal, type Decimal } from '@svc/kernel';
import { all, at, type Element } from '../xml/element.ts';
import { attribute, given, isTrue, parts, type Dialect } from './dialect.ts';
import { published, refusal, type Refusal } from './refusal.ts';

/** An assumption: the specification does not say the amount; the law does, in lekë. */
const CASH_LIMIT = '150000';

type Control = (invoice: Element, dialect: Dialect) => Refusal | undefined;

/** The controls of an invoice that need nothing but the message (3.7.3), in the order of the specification. */
const controls: readonly Control[] = [
  idTypeControl,
  vatControl,
  cashLimitControl,
  signControl,
  tillControl,
  periodControl,
  paymentControl,
  partyControl,
  einvoiceControl,
  totalControl,
  sumsControl,
  numberControl,
];

export function controlRefusal(invoice: Element, dialect: Dialect): Refusal | undefined {
  for (const control of controls) {
    const refused = control(invoice, dialect);
    if (refused) return refused;
  }
  return undefined;
}

/** The taxpayer who issues: the buyer of a self-issued invoice, else the seller. */
export const issuerOf = (invoice: Element): Element | undefined =>
  at(invoice, given(invoice, 'TypeOfSelfIss') === undefined ? 'Seller' : 'Buyer');

function idTypeControl(invoice: Element, { taxId }: Dialect): Refusal | undefined {
  return given(issuerOf(invoice), 'IDType') === taxId.type ? undefined : published(54);
}

function vatControl(invoice: Element): Refusal | undefined {
  const [amount, groups] = [given(invoice, 'TotVATAmt'), at(invoice, 'SameTaxes')];
  if (!isTrue(given(invoice, 'IsIssuerInVAT')) && (amount !== undefined || groups))
    return refusal(11, 'IsIssuerInVAT is false, but there is TotVATAmt or SameTaxes.');
  return isTrue(given(invoice, 'IsReverseCharge')) && (amount === undefined || !groups)
    ? refusal(11, 'IsReverseCharge is true, but TotVATAmt or SameTaxes is missing.')
    : undefined;
}

function cashLimitControl(invoice: Element, { taxId, authority }: Dialect): Refusal | undefined {
  const parties = ['Buyer', 'Seller'].map((name) => given(at(invoice, name), 'IDType'));
  const applies = authority === 'al-cis' && parts.isCash(invoice) && parties.every((type) => type === taxId.type);
  return applies && decimal(attribute(invoice, 'TotPrice')).cmp(CASH_LIMIT) > 0 ? published(40) : undefined;
}

function signControl(invoice: Element): Refusal | undefined {
  if (at(invoice, 'CorrectiveInv') || at(invoice, 'BadDebtInv')) return undefined;
  const values = [
    ...['TaxFreeAmt', 'MarkUpAmt', 'GoodsExAmt', 'TotPriceWoVAT', 'TotVATAmt', 'TotPrice'].map((name) => given(invoice, name)),
    ...all(at(invoice, 'SameTaxes'), 'SameTax').map((group) => given(group, 'VATAmt')),
    ...all(at(invoice, 'ConsTaxes'), 'ConsTax').map((group) => given(group, 'ConsTaxAmt')),
    ...all(at(invoice, 'Fees'), 'Fee').map((fee) => given(fee, 'Amt')),
  ];
  return values.some((value) => value?.startsWith('-'))
    ? refusal(11, 'There are negative values, but neither CorrectiveInv nor BadDebtInv.')
    : undefined;
}

function tillControl(invoice: Element): Refusal | undefined {
  return parts.isCash(invoice) && parts.till(invoice) === '' ? refusal(11, 'TypeOfInv is CASH, but TCRCode is missing.') : undefined;
}

function periodControl(invoice: Element): Refusal | undefined {
  const period = at(invoice, 'SupplyDateOrPeriod');
  if (!period) return undefined;
  const [start, end] = [attribute(period, 'Start'), attribute(period, 'End')];
  if (start > end) return refusal(11, 'Start of SupplyDateOrPeriod is not before its End.');
  return start.slice(0, 7) === end.slice(0, 7) ? undefined : refusal(11, 'SupplyDateOrPeriod spans two months.');
}

function paymentControl(invoice: Element, { cashMethods }: Dialect): Refusal | undefined {
  const methods = all(at(invoice, 'PayMethods'), 'PayMethod');
  const types = methods.map((method) => attribute(method, 'Type'));
  if (new Set(types).size < types.length) return refusal(11, 'A type of PayMethod is there twice.');
  if (cashMethods && types.some((type) => cashMethods.has(type) !== parts.isCash(invoice)))
    return refusal(11, 'A type of PayMethod does not belong to TypeOfInv.');
  if (methods.some((method) => attribute(method, 'Type') === 'COMPANY' && given(method, 'CompCard') === undefined))
    return refusal(11, 'PayMethod COMPANY has no CompCard.');
  if (methods.some((method) => attribute(method, 'Type') === 'SVOUCHER' && !at(method, 'Vouchers')))
    return refusal(11, 'PayMethod SVOUCHER has no Vouchers.');
  const paid = sum(methods.map((method) => given(method, 'Amt')));
  return paid.eq(attribute(invoice, 'TotPrice')) ? undefined : refusal(11, 'The sum of PayMethod Amt is not TotPrice.');
}

function partyControl(invoice: Element, { taxId }: Dialect): Refusal | undefined {
  const [seller, buyer] = [at(invoice, 'Seller'), at(invoice, 'Buyer')];
  const hasAddress = ['Address', 'Town', 'Country'].some((name) => given(seller, name) !== undefined);
  if (![taxId.type, 'ID'].includes(given(seller, 'IDType') ?? '') && !hasAddress) return refusal(11, 'The seller has no address.');
  const needsBuyer =
    given(invoice, 'TypeOfSelfIss') !== undefined ||
    given(invoice, 'GoodsExAmt') !== undefined ||
    isTrue(given(invoice, 'IsReverseCharge'));
  return needsBuyer && !buyer?.attributes.size ? refusal(11, 'The buyer is missing.') : undefined;
}

function einvoiceControl(invoice: Element): Refusal | undefined {
  return isTrue(given(invoice, 'IsEinvoice')) && parts.isCash(invoice)
    ? refusal(11, 'IsEinvoice is true, but TypeOfInv is not NONCASH.')
    : undefined;
}

function totalControl(invoice: Element, { tolerance }: Dialect): Refusal | undefined {
  const groups = all(at(invoice, 'SameTaxes'), 'SameTax').map((group) => given(group, 'PriceBefVAT'));
  const total = sum([...groups, ...['TaxFreeAmt', 'MarkUpAmt', 'GoodsExAmt'].map((name) => given(invoice, name))]);
  return isNear(total, attribute(invoice, 'TotPriceWoVAT'), tolerance) ? undefined : published(59);
}

/** Sums that no published control names, an assumption: taxes by group and in total, lines and total, with a cent for each line. */
function sumsControl(invoice: Element, { tolerance }: Dialect): Refusal | undefined {
  if (isTrue(given(invoice, 'IsReverseCharge'))) return undefined;
  const groups = all(at(invoice, 'SameTaxes'), 'SameTax').map((group) => given(group, 'VATAmt'));
  const tax = given(invoice, 'TotVATAmt') ?? '0';
  if (!isNear(sum(groups), tax, tolerance)) return refusal(11, 'TotVATAmt is not the sum of the VATAmt of SameTaxes.');
  const items = all(at(invoice, 'Items'), 'I');
  const others = [...all(at(invoice, 'ConsTaxes'), 'ConsTax'), ...all(at(invoice, 'Fees'), 'Fee')];
  if (others.length > 0 || items.length === 0) return undefined;
  const [total, before] = [attribute(invoice, 'TotPrice'), attribute(invoice, 'TotPriceWoVAT')];
  if (!decimal(before).plus(tax).eq(total)) return refusal(11, 'TotPrice is not TotPriceWoVAT with TotVATAmt.');
  const cents = decimal('0.01').times(String(items.length)).toString();
  return isNear(sum(items.map((item) => given(item, 'PA'))), total, cents)
    ? undefined
    : refusal(11, 'TotPrice is not the sum of PA of the items.');
}

function numberControl(invoice: Element, { numberOf }: Dialect): Refusal | undefined {
  return attribute(invoice, 'InvNum') === numberOf(invoice) ? undefined : published(60);
}

const sum = (values: readonly (string | undefined)[]): Decimal =>
  values.reduce<Decimal>((total, value) => (value === undefined ? total : total.plus(value)), decimal('0'));
const isNear = (one: Decimal, other: string, tolerance: string): boolean => {
  const difference = one.minus(other);
  return difference.lte(tolerance) && decimal('0').minus(difference).lte(tolerance);
};
