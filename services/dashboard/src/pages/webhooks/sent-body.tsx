import { Skeleton } from '@mantine/core';
import { answered, ApiError } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Source } from '../../ui/source.tsx';

/** The event of a delivery. `isGone`: events are removed after some weeks. */
export function useEvent(id: string | undefined) {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'events', id],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/events/{id}', { params: { path: { id: id ?? '' } }, signal })),
    ...{ enabled: id !== undefined, staleTime: Infinity },
  });
  return { event: data, error, refetch, isGone: error instanceof ApiError && error.status === 404 };
}

/** What each attempt sends. */
export function SentBody({ sent: { event, error, refetch, isGone } }: { sent: ReturnType<typeof useEvent> }) {
  return (
    <Panel title={t('sent.title')} about={isGone ? t('sent.gone') : t('sent.about')}>
      {!event && !error && <Skeleton height={120} />}
      {error && !isGone && <Failure error={error} again={() => void refetch()} />}
      {event && <Source label={t('sent.body')} text={JSON.stringify(event, null, 2)} />}
    </Panel>
  );
}
