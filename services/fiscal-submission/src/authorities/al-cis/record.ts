import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText, quotient, sum, ZERO, ONE, type Decimal } from '@svc/kernel';
import { element, type Element } from '../../xml/element.ts';
import { localTime } from '../local-time.ts';
import { itemName, upTo } from './ascii.ts';
import type { RecordWarning } from '../../submission/domain/facts.ts';
import { iicText, type Identified } from './codes.ts';
import { linesOf, type Line } from './lines.ts';
import { buyerOf, sellerOf } from './parties.ts';
import { methodsOf } from './payments.ts';
import { warningsOf } from './warnings.ts';

/** The invoice without its codes. */
export interface AlDraft {
  of: Identified;
  invoice: Element;
  late_reason: string | null;
  warnings: RecordWarning[];
}

const ZONE = 'Europe/Tirane';

/** The `Invoice` of a document (Technical Specification v07, 3.7.1), all amounts in lek; a document that takes back has negative ones. */
export function alDraft(request: RegistrationRequested): AlDraft {
  const { document, issuer, number, seq, issued_at, late_reason } = request;
  const zone = issuer.time_zone ?? ZONE;
  const isCash = document.object === 'receipt';
  const takesBack = 'type' in document && document.type === 'credit_note';
  const rate = document.currency === 'ALL' ? ONE : decimal(numberText(exchangeRateOf(document) ?? 1));
  const lines = linesOf(document, takesBack ? ZERO.minus(rate) : rate);
  const { unit, device, operator } = placeOf(request);
  const total = totalOf(lines);
  const of: Identified = {
    ...{ nuis: issuer.tax_id ?? '', issued: localTime(zone, issued_at), ordinal: String(seq), unit, device: isCash ? device : null },
    ...{ software: issuer.software_code ?? '', total: money(total) },
  };
  const isReverse = lines.some(({ tax }) => tax?.code === 'AE');
  const hasVat = issuer.vat_registered || isReverse;
  const attributes = {
    ...{ TypeOfInv: isCash ? 'CASH' : 'NONCASH', IsSimplifiedInv: 'false', IssueDateTime: of.issued, InvNum: number },
    ...{ InvOrdNum: of.ordinal, TCRCode: of.device ?? undefined, IsIssuerInVAT: String(issuer.vat_registered) },
    ...{
      TaxFreeAmt: totalIf(lines, 'TAX_FREE'),
      MarkUpAmt: totalIf(lines, 'MARGIN_SCHEME'),
      GoodsExAmt: totalIf(lines, 'EXPORT_OF_GOODS'),
    },
    ...{ TotPriceWoVAT: money(sum(lines.map(({ net }) => net))), TotPrice: of.total },
    TotVATAmt: hasVat ? money(sum(lines.map(({ vat }) => vat))) : undefined,
    ...{ OperatorCode: operator, BusinUnitCode: of.unit, SoftCode: of.software, IsReverseCharge: String(isReverse) },
    PayDeadline: !isCash && 'due_date' in document ? (document.due_date ?? undefined) : undefined,
  };
  const supplied = 'supply_date' in document ? document.supply_date : null;
  const invoice = element('Invoice', attributes, [
    supplied && supplied !== request.issue_date && element('SupplyDateOrPeriod', { Start: supplied, End: supplied }),
    correctionOf(request, zone),
    element(
      'PayMethods',
      {},
      methodsOf(document, { total, sign: takesBack ? '-1' : '1' }).map(([Type, amount]) =>
        element('PayMethod', { Type, Amt: money(amount) }),
      ),
    ),
    document.currency !== 'ALL' && element('Currency', { Code: document.currency, ExRate: String(rate) }),
    sellerOf(issuer),
    buyerOf(request.customer),
    element(
      'Items',
      {},
      lines.map((line) => itemOf(line, hasVat)),
    ),
    hasVat && sameTaxesOf(lines),
  ]);
  return { of, invoice, late_reason: late_reason === 'no_internet' ? late_reason : null, warnings: warningsOf(request) };
}

export const codeTextOf = ({ of }: AlDraft): string => iicText(of);

const money = (amount: Decimal): string => {
  const [whole = '0', part = ''] = String(amount).split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
};

const totalOf = (lines: readonly Line[]): Decimal => sum(lines.map(({ net, vat }) => net.plus(vat)));
const exchangeRateOf = (document: RegistrationRequested['document']) => ('exchange_rate' in document ? document.exchange_rate : null);

/** Where it was issued: a receipt says so itself, an invoice is of the issuer's first. */
function placeOf({ document, issuer }: RegistrationRequested): { unit: string; device: string; operator: string } {
  const own = 'device' in document ? document : undefined;
  const [first] = issuer.units ?? [];
  return {
    unit: own?.unit ?? first?.code ?? '',
    device: own?.device ?? first?.devices?.[0] ?? '',
    operator: own?.operator ?? issuer.operators?.[0]?.code ?? '',
  };
}

/** Why a line bears no VAT. `exemption_code` names the articles of an exemption. */
function exemptionOf({ tax }: Pick<Line, 'tax'>): string | undefined {
  if (!tax || tax.code === 'O') return 'TAX_FREE';
  if (tax.code === 'G') return 'EXPORT_OF_GOODS';
  return tax.code === 'E' ? (tax.exemption_code ?? 'TAX_FREE') : undefined;
}

const totalIf = (lines: readonly Line[], exemption: string): string | undefined => {
  const those = lines.filter((line) => exemptionOf(line) === exemption);
  return those.length > 0 ? money(sum(those.map(({ net }) => net))) : undefined;
};

const rateOf = ({ tax }: Line): string => money(decimal(numberText(tax?.rate ?? 0)));
const size = (amount: Decimal): Decimal => (amount.cmp('0') < 0 ? ZERO.minus(amount) : amount);

function itemOf(line: Line, hasVat: boolean): Element {
  const { item, net, vat } = line;
  const quantity = decimal(numberText(item.quantity));
  const each = (amount: Decimal): string => money(size(quotient(amount, quantity, 2)));
  const EX = exemptionOf(line);
  const isNegative = net.cmp('0') < 0 !== quantity.cmp('0') < 0 && net.cmp('0') !== 0;
  const gross = net.plus(vat);
  return element('I', {
    ...{ N: itemName(item.description ?? ''), U: upTo(50, item.unit) ?? 'C62', Q: String(isNegative ? ZERO.minus(quantity) : quantity) },
    ...{ UPB: each(net), UPA: each(gross), R: '0', RR: 'true', PB: money(net), PA: money(gross), EX: hasVat ? EX : undefined },
    ...(hasVat && EX === undefined ? { VR: rateOf(line), VA: money(vat) } : {}),
  });
}

/** One a rate, and one of each exemption that goes there: others have totals of their own. */
function sameTaxesOf(lines: readonly Line[]): Element | null {
  const those = lines.filter((line) => [undefined, 'TYPE_1', 'TYPE_2'].includes(exemptionOf(line)));
  const groups = [...Map.groupBy(those, (line) => exemptionOf(line) ?? rateOf(line)).values()];
  if (groups.length === 0) return null;
  const same = groups.map((group) => {
    const [first] = group as [Line];
    const exemption = exemptionOf(first);
    return element('SameTax', {
      ...{ NumOfItems: String(group.length), PriceBefVAT: money(sum(group.map(({ net }) => net))), ExemptFromVAT: exemption },
      ...(exemption === undefined ? { VATRate: rateOf(first), VATAmt: money(sum(group.map(({ vat }) => vat))) } : {}),
    });
  });
  return element('SameTaxes', {}, same);
}

/** What it corrects: a void takes all of it back. */
function correctionOf({ document, original }: RegistrationRequested, zone: string): Element | null {
  if (!original) return null;
  const isCredit = 'type' in document && document.type === 'credit_note';
  const Type = isCredit ? 'CREDIT' : 'CORRECTIVE';
  return element('CorrectiveInv', { IICRef: original.issuer_code ?? '', IssueDateTime: localTime(zone, original.issued_at), Type });
}
