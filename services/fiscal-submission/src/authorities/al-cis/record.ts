import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText, quotient, sum, ZERO, ONE, type Decimal } from '@svc/kernel';
import { element, type Element } from '../../xml/element.ts';
import { localTime } from '../local-time.ts';
import { itemName, upTo } from './ascii.ts';
import type { RecordWarning } from '../../submission/domain/facts.ts';
import { iicText, type Identified } from './codes.ts';
import { linesOf, money, type Line } from './lines.ts';
import type { Dialect, Exemption } from './dialect.ts';
import { buyerOf, sellerOf } from './parties.ts';
import { isPaidInCash, methodsOf } from './payments.ts';
import { placeOf } from './place.ts';
import { warningsOf } from './warnings.ts';

/** The invoice without its codes. */
export interface CisDraft {
  of: Identified;
  /** How its till is opened: the amount in it (decimal text); null: the document needs no open till. */
  opening: string | null;
  invoice: Element;
  late_reason: string | null;
  warnings: RecordWarning[];
}

/** The `Invoice` of a document (Technical Specification v07, 3.7.1), all amounts in the country's currency; a document that takes back has negative ones. */
export function cisDraft(request: RegistrationRequested, dialect: Dialect): CisDraft {
  const { document, issuer, number, seq, issued_at, late_reason, original } = request;
  const zone = issuer.time_zone ?? dialect.zone;
  const isCash = isPaidInCash(document, dialect);
  const takesBack = 'type' in document && document.type === 'credit_note';
  const rate = document.currency === dialect.currency ? ONE : decimal(numberText(exchangeRateOf(document) ?? 1));
  const lines = linesOf(document, takesBack ? ZERO.minus(rate) : rate);
  const { unit, device, operator, opening } = placeOf(request);
  const total = totalOf(lines);
  const of: Identified = {
    ...{
      nuis: issuer.tax_id ?? '',
      issued: localTime(zone, issued_at),
      ordinal: String(seq),
      unit,
      device: isCash || dialect.alwaysTill ? device : null,
    },
    ...{ software: issuer.software_code ?? '', total: money(total) },
  };
  const isReverse = dialect.reverseCharge && lines.some(({ tax }) => tax?.code === 'AE');
  const isOf = (total: Exemption['total']) => (line: Line) => dialect.exemption(line.tax)?.total === total;
  const hasVat = issuer.vat_registered || isReverse;
  const attributes = {
    ...dialect.attributes({ isCredit: takesBack, corrects: Boolean(original) }),
    ...{ TypeOfInv: isCash ? 'CASH' : 'NONCASH', IssueDateTime: of.issued, InvNum: number },
    ...{ InvOrdNum: of.ordinal, TCRCode: of.device ?? undefined, IsIssuerInVAT: String(issuer.vat_registered) },
    ...{ TaxFreeAmt: totalIf(lines, isOf('TaxFreeAmt')), MarkUpAmt: totalIf(lines, isOf('MarkUpAmt')) },
    GoodsExAmt: totalIf(lines, isOf('GoodsExAmt')),
    ...{ TotPriceWoVAT: money(sum(lines.map(({ net }) => net))), TotPrice: of.total },
    TotVATAmt: hasVat ? money(sum(lines.map(({ vat }) => vat))) : undefined,
    ...{ OperatorCode: operator, BusinUnitCode: of.unit, SoftCode: of.software, IsReverseCharge: String(isReverse) },
    PayDeadline: !isCash && 'due_date' in document ? (document.due_date ?? undefined) : undefined,
  };
  const supplied = 'supply_date' in document ? document.supply_date : null;
  const invoice = element('Invoice', attributes, [
    supplied && supplied !== request.issue_date && element('SupplyDateOrPeriod', { Start: supplied, End: supplied }),
    correctionOf(request, dialect, zone),
    element(
      'PayMethods',
      {},
      methodsOf(document, dialect, { total, sign: takesBack ? '-1' : '1' }).map(([Type, amount]) =>
        element('PayMethod', { Type, Amt: money(amount) }),
      ),
    ),
    document.currency !== dialect.currency && element('Currency', { Code: document.currency, ExRate: String(rate) }),
    sellerOf(issuer, dialect),
    buyerOf(request.customer, dialect),
    element(
      'Items',
      {},
      lines.map((line) => itemOf(line, dialect, hasVat)),
    ),
    hasVat && sameTaxesOf(lines, dialect),
  ]);
  return {
    ...{ of, invoice, opening: isCash ? opening : null },
    ...{ late_reason: late_reason === 'no_internet' ? late_reason : null, warnings: warningsOf(request) },
  };
}

export const codeTextOf = ({ of }: CisDraft): string => iicText(of);

const totalOf = (lines: readonly Line[]): Decimal => sum(lines.map(({ net, vat }) => net.plus(vat)));
const exchangeRateOf = (document: RegistrationRequested['document']) => ('exchange_rate' in document ? document.exchange_rate : null);

const totalIf = (lines: readonly Line[], isOf: (line: Line) => boolean): string | undefined => {
  const those = lines.filter(isOf);
  return those.length > 0 ? money(sum(those.map(({ net }) => net))) : undefined;
};

const rateOf = ({ tax }: Line): string => money(decimal(numberText(tax?.rate ?? 0)));
const size = (amount: Decimal): Decimal => (amount.cmp('0') < 0 ? ZERO.minus(amount) : amount);

function itemOf(line: Line, dialect: Dialect, hasVat: boolean): Element {
  const { item, net, vat } = line;
  const quantity = decimal(numberText(item.quantity));
  const each = (amount: Decimal): string => money(size(quotient(amount, quantity, 2)));
  const exemption = dialect.exemption(line.tax);
  const isNegative = net.cmp('0') < 0 !== quantity.cmp('0') < 0 && net.cmp('0') !== 0;
  const gross = net.plus(vat);
  return element('I', {
    ...{ N: itemName(item.description ?? ''), U: upTo(50, item.unit) ?? 'C62', Q: String(isNegative ? ZERO.minus(quantity) : quantity) },
    ...{ UPB: each(net), UPA: each(gross), R: '0', RR: 'true', PB: money(net), PA: money(gross), EX: hasVat ? exemption?.code : undefined },
    ...(hasVat && exemption === null ? { VR: rateOf(line), VA: money(vat) } : {}),
  });
}

/** One a rate, and one of each exemption that goes there: others have totals of their own. */
function sameTaxesOf(lines: readonly Line[], { exemption: of }: Dialect): Element | null {
  const those = lines.filter(({ tax }) => !of(tax)?.total);
  const groups = [...Map.groupBy(those, (line) => of(line.tax)?.code ?? rateOf(line)).values()];
  if (groups.length === 0) return null;
  const same = groups.map((group) => {
    const [first] = group as [Line];
    const exemption = of(first.tax)?.code;
    return element('SameTax', {
      ...{ NumOfItems: String(group.length), PriceBefVAT: money(sum(group.map(({ net }) => net))), ExemptFromVAT: exemption },
      ...(exemption === undefined ? { VATRate: rateOf(first), VATAmt: money(sum(group.map(({ vat }) => vat))) } : {}),
    });
  });
  return element('SameTaxes', {}, same);
}

/** What it corrects: a void takes all of it back. */
function correctionOf({ document, original }: RegistrationRequested, { correction }: Dialect, zone: string): Element | null {
  if (!original) return null;
  const isCredit = 'type' in document && document.type === 'credit_note';
  const reference = { IICRef: original.issuer_code ?? '', IssueDateTime: localTime(zone, original.issued_at) };
  return element('CorrectiveInv', { ...reference, Type: correction(isCredit) });
}
