import { createContext, use } from 'react';
import type { Invoice } from '../../documents/documents.ts';
import { customerName } from '../../documents/documents.ts';
import { t } from '../../texts/t.ts';
import classes from './selection.module.css';

export interface Selection {
  /** Ids, also of other pages of the list. */
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
}

/** Read by the cells themselves: they are not made anew when one is chosen, so that the focus stays. */
export const SelectionContext = createContext<Selection>({ chosen: new Set(), toggle: () => undefined });

export const canBeSubmitted = ({ available_actions: open }: Invoice): boolean => open.includes('submit');

/** Chooses an invoice to be submitted with others. */
export function Choose({ invoice }: { invoice: Invoice }) {
  const { chosen, toggle } = use(SelectionContext);
  if (!canBeSubmitted(invoice)) return null;
  return (
    <input
      type="checkbox"
      className={classes['choose']}
      aria-label={t('bulk.choose', { name: invoice.number ?? customerName(invoice) ?? t('invoices.draft') })}
      checked={chosen.has(invoice.id)}
      onChange={() => toggle(invoice.id)}
    />
  );
}
