import { isSame, isZero, negated } from '../format/numbers.ts';
import type { Invoice } from './documents.ts';

type Correctable = Pick<Invoice, 'status' | 'type'> & { voids?: string | null | undefined };

/** Whether a corrective can name it: one that carries out a void has nothing left. */
export const isCorrectable = ({ status, type, voids }: Correctable): boolean => status === 'submitted' && type !== 'credit_note' && !voids;

type Credited = Correctable & Pick<Invoice, 'total' | 'amount_due' | 'amount_paid'>;

/**
 * Whether something is left to be credited, by the amounts that it shows. What is due is the total less what is retained, paid and credited: where it is just what was
 * paid, below 0, all is credited. What a corrective has lowered is not among them.
 */
export const isCreditable = ({ total, amount_due: due, amount_paid: paid, ...invoice }: Credited): boolean =>
  isCorrectable(invoice) && !isZero(total) && !total.startsWith('-') && !isSame(due, negated(paid));
