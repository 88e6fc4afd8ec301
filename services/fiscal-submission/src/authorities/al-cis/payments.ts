import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText, sharing, sum, type Decimal } from '@svc/kernel';
import type { Dialect } from './dialect.ts';

type Document = RegistrationRequested['document'];

/** Whether it is stated as paid in cash. */
export function isPaidInCash(document: Document, { isCash }: Dialect): boolean {
  if (document.object !== 'receipt') return isCash(document.payment_method ?? 'transfer');
  const methods = document.payments.length > 0 ? document.payments.map(({ method }) => method) : [document.payment_method];
  return methods.some((method) => method !== 'transfer');
}

/** Each method once, with what was paid by it: they add up to `total`. `sign`: -1 where the document takes back, and its own amounts are positive. */
export function methodsOf(
  document: Document,
  { methods }: Dialect,
  { total, sign }: { total: Decimal; sign: string },
): [type: string, amount: Decimal][] {
  if (document.object !== 'receipt') return [[methods.invoice[document.payment_method ?? 'transfer'] ?? 'OTHER', total]];
  const typeOf = (method: string | null | undefined): string => methods.receipt[method ?? 'cash'] ?? 'BANKNOTE';
  const paid = document.payments.map(({ method, amount }) => [method, decimal(numberText(amount)).times(sign)] as const);
  if (paid.length === 0) return [[typeOf(document.payment_method), total]];
  const amounts = sharing(
    paid.map(([, amount]) => amount),
    2,
  )(total);
  const byType = Map.groupBy(paid.keys(), (n) => typeOf(paid[n]?.[0]));
  return Array.from(byType, ([type, those]) => [type, sum(Array.from(those, (n) => amounts[n] as Decimal))]);
}
