import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText, sharing, sum, type Decimal } from '@svc/kernel';

type Document = RegistrationRequested['document'];

/** Methods of receipts, which are paid in cash; of invoices, which are not. The service takes neither in place of the other (3.7.1.46). */
const ofReceipts: Record<string, string> = { cash: 'BANKNOTE', card: 'CARD', check: 'CHECK' };
const ofInvoices: Record<string, string> = { transfer: 'ACCOUNT', other: 'OTHER' };

/** Each method once, with what was paid by it in lek: they add up to `total`. `sign`: -1 where the document takes back, and its own amounts are positive. */
export function methodsOf(document: Document, { total, sign }: { total: Decimal; sign: string }): [type: string, amount: Decimal][] {
  if (document.object !== 'receipt') {
    return [[ofInvoices[document.payment_method ?? 'transfer'] ?? 'OTHER', total]];
  }
  const paid = document.payments.map(({ method, amount }) => [method, decimal(numberText(amount)).times(sign)] as const);
  if (paid.length === 0) return [[ofReceipts[document.payment_method ?? 'cash'] ?? 'BANKNOTE', total]];
  const amounts = sharing(
    paid.map(([, amount]) => amount),
    2,
  )(total);
  const byType = Map.groupBy(paid.keys(), (n) => ofReceipts[paid[n]?.[0] ?? 'cash'] ?? 'BANKNOTE');
  return Array.from(byType, ([type, those]) => [type, sum(Array.from(those, (n) => amounts[n] as Decimal))]);
}
