import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Resource } from '../../api/types.ts';
import { useToday } from '../../documents/issuer.ts';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ago } from '../../ui/time.tsx';
import { listsOf, type SectionList } from './lists.ts';
import classes from './section.module.css';

const tones: Record<string, Tone> = { refused: 'bad', needs_review: 'bad', late: 'bad', endpoints: 'bad', numbers_closed: 'bad' };

interface SectionProps {
  section: Resource<'TodaySection'>;
  /** Reads all sections again. */
  again: () => void;
}

/** One kind of what is to be done: its five oldest rows, each with the way to its next step. One that cannot be read says so. */
export function Section({ section: { kind, count, rows }, again }: SectionProps) {
  if (count === null)
    return (
      <Panel title={named('today.kind', kind)} actions={<Badge tone="warn">{t('today.unread')}</Badge>}>
        <div className={classes['unread']}>
          <p>{t('today.unreadText')}</p>
          <Button size="compact-sm" variant="default" onClick={again}>
            {t('failure.again')}
          </Button>
        </div>
      </Panel>
    );
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
              <bdi>{title}</bdi>
            </PageLink>
            <span className={classes['since']}>
              <Ago at={since} />
            </span>
            <span className={classes['next']}>{named('today.action', next.action)}</span>
          </li>
        ))}
      </ul>
      {count > rows.length && <WholeLists kind={kind} />}
    </Panel>
  );
}

const needs: Record<SectionList['of'], string> = { invoices: 'invoices:read', receipts: 'receipts:read', webhooks: 'webhooks:read' };

/** The way to all that a section counts, of what the member may read. */
function WholeLists({ kind }: { kind: string }) {
  const can = useCan();
  const today = useToday();
  if (today === undefined) return null;
  return (
    <p className={classes['all']}>
      {listsOf(kind, today)
        .filter(({ of }) => can(needs[of]))
        .map(({ of, search }) => (
          <Link key={of} to={`/app/${of}`} search={search as never}>
            {t(`today.all.${of}`)}
          </Link>
        ))}
    </p>
  );
}
