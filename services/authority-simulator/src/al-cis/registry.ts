import type { Book } from '../wires/book.ts';
import { published, type Refusal } from './refusal.ts';

/** What an operator declares of a taxpayer. Taxpayers that no operator declared are active, with all units, software and maintainers. */
export interface Taxpayer {
  isKnown: boolean;
  isActive: boolean;
  isInVat?: boolean;
  units?: string[];
  software?: string[];
  maintainers?: string[];
}

/** A registered till. */
export interface Till {
  code: string;
  taxId: string;
  unit: string;
  internalId: string;
  software?: string | undefined;
  maintainer?: string | undefined;
  type?: string | undefined;
  /** Days; the till is active from the first to the last. */
  from?: string | undefined;
  to?: string | undefined;
}

const undeclared: Taxpayer = { isKnown: true, isActive: true };

export const taxpayerOf = (registry: Book, taxId: string): Taxpayer => registry.value<Taxpayer>('taxpayer', taxId) ?? undeclared;

/** Refuses a taxpayer who is unknown or not active. */
export function taxpayerRefusal({ isKnown, isActive }: Taxpayer): Refusal | undefined {
  if (!isKnown) return published(52);
  return isActive ? undefined : published(55);
}

/** Refuses a code that is not in the declared list. */
export const listRefusal = (list: readonly string[] | undefined, code: string | undefined, refused: number): Refusal | undefined =>
  list && code !== undefined && !list.includes(code) ? published(refused) : undefined;

export const tillOf = (book: Book, code: string): Till | undefined => book.value<Till>('till', code);

/** A till that every taxpayer has, for clients without one of their own. */
const PUBLISHED_TILL = 'cc123cc123';

/** Whether the till may be used by the taxpayer on the day. */
export function mayUse(book: Book, code: string, { taxId, day }: { taxId: string; day: string }): boolean {
  if (code === PUBLISHED_TILL) return true;
  const till = tillOf(book, code);
  return till !== undefined && till.taxId === taxId && (till.from ?? day) <= day && (till.to ?? day) >= day;
}
