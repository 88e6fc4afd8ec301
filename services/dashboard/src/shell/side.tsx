import { Link } from '@tanstack/react-router';
import { t } from '../texts/t.ts';
import { Icon } from '../ui/icon.tsx';
import { useHas } from './access.ts';
import { AccountMenu } from './account-menu.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { type Entry, entries, goLive, settings } from './navigation.ts';
import classes from './side.module.css';

/** Accounts, environment, search and the pages. */
export const Side = ({ search }: { search: () => void }) => (
  <div className={classes['side']}>
    <AccountMenu />
    <EnvironmentSwitch />
    <button type="button" className={classes['search']} onClick={search}>
      <Icon name="search" size={16} />
      <span>{t('search.title')}</span>
      <kbd className={classes['key']}>/</kbd>
    </button>
    <nav aria-label={t('nav.label')} className={classes['nav']}>
      <Entries entries={entries} />
      <p className={classes['group']} id="nav-settings">
        {t('nav.settings')}
      </p>
      <Entries entries={settings} labelledBy="nav-settings" />
    </nav>
    <nav aria-label={t('nav.goLive')} className={classes['end']}>
      <Entries entries={[goLive]} />
    </nav>
  </div>
);

function Entries({ entries, labelledBy }: { entries: readonly Entry[]; labelledBy?: string }) {
  const has = useHas();
  return (
    <ul aria-labelledby={labelledBy}>
      {entries
        .filter(({ needs }) => has(needs))
        .map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} className={classes['entry']} activeOptions={{ exact: to === '/app', includeSearch: false }}>
              {icon && <Icon name={icon} size={17} />}
              {t(label)}
            </Link>
          </li>
        ))}
    </ul>
  );
}
