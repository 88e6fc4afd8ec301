import type { Words } from './words.ts';

interface StatementWords {
  title: string;
  asOf: string;
  /** What is due of an item. */
  open: string;
  notDue: string;
  /** `1–30`, `> 90`. */
  late: (days: string) => string;
  nothing: string;
}

/** What a statement says besides, by the tag of its words. */
export const statementWords: Record<Words['tag'], StatementWords> = {
  en: {
    title: 'Statement of account',
    asOf: 'As of',
    open: 'Open',
    notDue: 'Not due',
    late: (days) => `${days} days late`,
    nothing: 'Nothing is open.',
  },
  es: {
    title: 'Estado de cuenta',
    asOf: 'A fecha de',
    open: 'Pendiente',
    notDue: 'No vencido',
    late: (days) => `${days} días de retraso`,
    nothing: 'No hay nada pendiente.',
  },
  sq: {
    title: 'Pasqyra e llogarisë',
    asOf: 'Më datë',
    open: 'E papaguar',
    notDue: 'Pa skaduar',
    late: (days) => `${days} ditë vonesë`,
    nothing: 'Nuk ka asgjë të papaguar.',
  },
  'sr-Latn': {
    title: 'Izvod otvorenih stavki',
    asOf: 'Na dan',
    open: 'Otvoreno',
    notDue: 'Nedospjelo',
    late: (days) => `${days} dana kašnjenja`,
    nothing: 'Nema otvorenih stavki.',
  },
};
