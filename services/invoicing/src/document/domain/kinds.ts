import type { DocumentType } from '@svc/contracts/document/vocabulary';
import { decimal, type Decimal, type Details, ZERO } from '@svc/kernel';

/** What a value of `type` means for an invoice. Its number series has the same name. */
interface Kind {
  /** The kinds that it can correct. None: it stands by itself. */
  corrects: readonly DocumentType[];
  /** The total that it can have, and from when on another one is refused. */
  total: { isAllowed(total: Decimal): boolean; from: 'creation' | 'submission'; problem: string };
  /** What its total does to what the corrected invoice is worth. */
  effect: -1 | 0 | 1;
  /** It is paid by itself. Otherwise it lowers what is due of the invoice that it corrects. */
  isOwed: boolean;
}

const correctable = ['standard', 'corrective'] as const;

export const kinds: Readonly<Record<DocumentType, Kind>> = {
  standard: {
    corrects: [],
    total: {
      isAllowed: (total) => ZERO.lte(total),
      from: 'submission',
      problem: 'come to a total below 0: issue a credit note.',
    },
    effect: 0,
    isOwed: true,
  },
  credit_note: {
    corrects: correctable,
    total: {
      isAllowed: (total) => !total.lte(ZERO),
      from: 'creation',
      problem: 'come to a total that is not above 0: a credit note has positive amounts.',
    },
    effect: -1,
    isOwed: false,
  },
  corrective: {
    corrects: correctable,
    total: { isAllowed: () => true, from: 'creation', problem: '' },
    effect: 1,
    isOwed: true,
  },
};

/** `at`: the step that judges. A total that is refused at creation is refused at submission too. */
export function totalProblems(type: DocumentType, total: string, at: 'creation' | 'submission'): Details {
  const { isAllowed, from, problem } = kinds[type].total;
  return (at === 'creation' && from === 'submission') || isAllowed(decimal(total)) ? {} : { items: [problem] };
}
