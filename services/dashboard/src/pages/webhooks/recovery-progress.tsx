import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showTime } from '../../format/dates.ts';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Endpoint, endpointKey } from './endpoints.ts';
import classes from './recovery-progress.module.css';

/** How far the newest recovery is, and the way to stop it. */
export function RecoveryProgress({ endpoint: { id }, recovery }: { endpoint: Endpoint; recovery: Resource<'EndpointRecovery'> }) {
  const { console, env } = useConsole();
  const can = useCan();
  const queries = useQueryClient();
  const stop = useSaving({
    run: (_: undefined, once) =>
      answered(console.POST('/console/v1/webhooks/{id}/recover', { params: { path: { id } }, body: { stop: true }, headers: once })),
    done: () => queries.invalidateQueries({ queryKey: endpointKey(env, id) }),
  });
  const { status, matched, created, delivered, failed, since, until } = recovery;
  const isRunning = status === 'running';
  return (
    <Panel
      title={t('recover.progress')}
      about={t('recover.range', { from: showTime(since), to: showTime(until) })}
      actions={
        isRunning && can('webhooks:write') ? (
          <Button size="compact-sm" variant="default" loading={stop.isRunning} onClick={() => stop.run(undefined)}>
            {t('recover.stop')}
          </Button>
        ) : (
          <Badge tone={isRunning ? 'info' : 'calm'}>{named('recover.status', status)}</Badge>
        )
      }
    >
      {stop.error && <Failure error={stop.error} />}
      <progress className={classes['bar']} aria-label={t('recover.progress')} max={Math.max(created, 1)} value={delivered + failed} />
      <p role="status">
        {t(isRunning && created === 0 ? 'recover.begins' : 'recover.done', { delivered, failed, created })}{' '}
        {matched > created && !isRunning && t('recover.waiting', { count: matched - created })}
      </p>
    </Panel>
  );
}
