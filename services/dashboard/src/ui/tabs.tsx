import { Link } from '@tanstack/react-router';
import { showNumber } from '../format/numbers.ts';
import classes from './tabs.module.css';

export interface Tab {
  /** Value of the search parameter; '' for all. */
  value: string;
  label: string;
  count?: number;
}

/** Parts of a list, by a search parameter. */
export const Tabs = ({ name, label, tabs, value }: { name: string; label: string; tabs: readonly Tab[]; value: string }) => (
  <nav className={classes['tabs']} aria-label={label}>
    {tabs.map((tab) => (
      <Link
        key={tab.value}
        to="."
        search={((before: object) => ({ ...before, page: undefined, [name]: tab.value || undefined })) as never}
        activeOptions={{ exact: true, includeSearch: false }}
        className={classes['tab']}
        data-chosen={tab.value === value || undefined}
        aria-current={tab.value === value ? 'true' : 'false'}
      >
        {tab.label}
        {tab.count !== undefined && <span className={classes['count']}>{showNumber(tab.count)}</span>}
      </Link>
    ))}
  </nav>
);
