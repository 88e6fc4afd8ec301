import { decimal, DomainError, toText, type Decimal } from '@svc/kernel';

/** 422: the document is valid, but EN 16931 has no place for it. `field`: of the resource. */
export const notRepresentable = (field: string, why: string): DomainError =>
  new DomainError('not_representable', `UBL by EN 16931 cannot hold this document: ${field} ${why}`, { [field]: [why] });

/** An amount with two decimals (BR-DEC-*). Throws not_representable for more. */
export function amountText(amount: Decimal | string): string {
  const [whole = '', part = ''] = toText(decimal(amount)).split('.');
  if (part.length > 2) throw notRepresentable('currency', 'has amounts of more than two decimals in this document.');
  return `${whole}.${part.padEnd(2, '0')}`;
}
