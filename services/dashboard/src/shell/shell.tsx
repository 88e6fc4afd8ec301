import { ActionIcon, Drawer } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useEnvironment } from '../api/environment.ts';
import { t } from '../texts/t.ts';
import { Icon } from '../ui/icon.tsx';
import { useHas } from './access.ts';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { neededFor } from './navigation.ts';
import { NotAllowed } from './not-allowed.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { Search } from './search.tsx';
import { Side } from './side.tsx';
import { SuspendedNotice } from './suspended-notice.tsx';
import classes from './shell.module.css';

/** What stands around every page: the navigation, the environment as the colour of the frame, the search. */
export function Shell() {
  const env = useEnvironment();
  const has = useHas();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The page that the menu was opened on: it is closed by the way to another one.
  const [menuOn, setMenuOn] = useState<string>();
  const [isSearching, setSearching] = useState(false);
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== path) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    before.current = path;
  }, [path]);
  useSearchKeys(() => setSearching(true));
  const side = <Side search={() => setSearching(true)} />;
  return (
    <div className={classes['frame']} data-env={env}>
      <a href="#content" className={classes['skip']}>
        {t('shell.skip')}
      </a>
      <nav className={classes['top']} aria-label={t('shell.top')}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('shell.menu')} onClick={() => setMenuOn(path)}>
          <Icon name="menu" />
        </ActionIcon>
        <span className={classes['product']}>{t('product')}</span>
        <EnvironmentSwitch />
      </nav>
      <aside className={classes['side']}>{side}</aside>
      <Drawer opened={menuOn === path} onClose={() => setMenuOn(undefined)} size={280} title={t('product')}>
        {side}
      </Drawer>
      <main id="content" ref={main} tabIndex={-1} className={classes['main']}>
        <SuspendedNotice />
        <Suspense fallback={<PageSkeleton />}>{has(neededFor(path)) ? <Outlet /> : <NotAllowed />}</Suspense>
      </main>
      <Search opened={isSearching} close={() => setSearching(false)} />
    </div>
  );
}

/** "/" outside of fields, and Ctrl+K or ⌘K anywhere. */
function useSearchKeys(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isField = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]') !== null;
      const isWanted = (event.key === '/' && !isField) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
      if (!isWanted) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
