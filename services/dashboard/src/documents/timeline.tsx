import { Button, Skeleton } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../api/consoles.ts';
import { useCan } from '../session/session.ts';
import { named, t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { nextPage } from '../ui/paging.ts';
import { Panel } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import { documentKey, type Kind } from './documents.ts';
import { type Entry, shownOf, withoutDoubles } from './timeline-entry.ts';
import classes from './timeline.module.css';

const PAGE = 20;
const REFRESHED_MS = 30_000;

interface TimelineProps {
  kind: Kind;
  id: string;
  version: number;
}

/** Everything that happened to a document, newest first: its history, attempts, deliveries, payments and audit. */
export function Timeline({ kind, id, version }: TimelineProps) {
  const { console, env } = useConsole();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...documentKey(env, kind, id), 'timeline', version],
    queryFn: ({ signal, pageParam: page }) =>
      answered(console.GET('/console/documents/{id}/timeline', { params: { path: { id }, query: { page, per_page: PAGE } }, signal })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESHED_MS,
  });
  const entries = withoutDoubles(data?.pages.flatMap((page) => page.data) ?? []);
  return (
    <Panel title={t('timeline.title')}>
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      <ol className={classes['entries']}>
        {entries.map((entry, n) => (
          <Line key={`${entry.at} ${entry.kind} ${entry.title} ${n}`} entry={entry} />
        ))}
      </ol>
      {hasNextPage && (
        <Button mt={12} size="compact-sm" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('timeline.more')}
        </Button>
      )}
    </Panel>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { title, text, tone, to } = shownOf(entry);
  const { actor, request_id: request } = entry;
  const can = useCan();
  return (
    <li className={classes['entry']} data-tone={tone}>
      <p className={classes['title']}>{to ? <Link to={to}>{title}</Link> : title}</p>
      {text && <p className={classes['text']}>{text}</p>}
      <p className={classes['about']}>
        <Time at={entry.at} />
        {actor && actor.type !== 'system' && (
          <>
            {' · '}
            <bdi>{actor.name ?? named('actor', actor.type)}</bdi>
          </>
        )}
        {request && can('settings:read') && (
          <>
            {' · '}
            <Link to={`/app/settings/requests/${request}`}>{t('timeline.request')}</Link>
          </>
        )}
      </p>
    </li>
  );
}
