import { Link, Navigate } from '@tanstack/react-router';
import { t } from '../texts/t.ts';
import { Icon } from './icon.tsx';
import type { ListSearch } from './list-search.ts';
import { isPastEnd, type Meta } from './paging.ts';
import classes from './pager.module.css';

/** How many rows there are, and the way to the others. An address past the end leads to the last page. */
export function Pager({ meta, search }: { meta: Meta | undefined; search: Pick<ListSearch<never>, 'toPage'> }) {
  if (!meta || meta.total === 0) return null;
  if (isPastEnd(meta)) return <Navigate to="." search={search.toPage(meta.last_page) as never} replace />;
  const { current_page: page, per_page: size, total, last_page: last } = meta;
  const range = { from: (page - 1) * size + 1, to: Math.min(page * size, total), count: total };
  return (
    <nav className={classes['pager']} aria-label={t('list.pages')}>
      <span>{last === 1 ? t('list.total', { count: total }) : t('list.range', range)}</span>
      {last > 1 && (
        <span className={classes['links']}>
          <Step to={page - 1} isOpen={page > 1} label={t('list.previous')} search={search} icon="back" />
          <Step to={page + 1} isOpen={page < last} label={t('list.next')} search={search} icon="chevron" />
        </span>
      )}
    </nav>
  );
}

interface StepProps {
  to: number;
  isOpen: boolean;
  label: string;
  search: Pick<ListSearch<never>, 'toPage'>;
  icon: 'back' | 'chevron';
}

const Step = ({ to, isOpen, label, search, icon }: StepProps) =>
  isOpen ? (
    <Link to="." search={search.toPage(to) as never} aria-label={label} className={classes['step']}>
      <Icon name={icon} size={16} />
    </Link>
  ) : (
    <span className={classes['step']} aria-hidden data-closed>
      <Icon name={icon} size={16} />
    </span>
  );
