import { Link } from '@tanstack/react-router';
import type { Resource } from '../../api/types.ts';
import { named, t } from '../../texts/t.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ago } from '../../ui/time.tsx';
import { listOf } from './lists.ts';
import classes from './section.module.css';

const tones: Record<string, Tone> = { refused: 'bad', needs_review: 'bad', late: 'bad', endpoints: 'bad', numbers_closed: 'bad' };

/** One kind of what is to be done: its five oldest rows, each with the way to its next step. */
export function Section({ section: { kind, count, rows } }: { section: Resource<'TodaySection'> }) {
  const list = listOf(kind);
  return (
    <Panel
      title={named('today.kind', kind)}
      about={named('today.kindAbout', kind)}
      actions={<Badge tone={tones[kind] ?? 'warn'}>{t('today.count', { count })}</Badge>}
      flush
    >
      <ul>
        {rows.map(({ title, since, next }) => (
          <li key={next.route} className={classes['row']}>
            <PageLink to={next.route} className={classes['title']}>
              {title}
            </PageLink>
            <span className={classes['since']}>
              <Ago at={since} />
            </span>
            <span className={classes['next']}>{named('today.action', next.action)}</span>
          </li>
        ))}
      </ul>
      {list && count > rows.length && (
        <p className={classes['all']}>
          <Link to={list.to} search={list.search as never}>
            {t('today.all', { count })}
          </Link>
        </p>
      )}
    </Panel>
  );
}
