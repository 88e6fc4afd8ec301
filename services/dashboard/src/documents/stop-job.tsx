import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../api/consoles.ts';
import type { Resource } from '../api/types.ts';
import { useAdministers, useMe } from '../session/session.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { useSaving } from '../ui/saving.ts';
import { exportsKey, isMovingJob } from './jobs.ts';
import { submissionsKey } from './submissions.ts';

type Job = Resource<'Export'> | Resource<'Submissions'>;

/** Ends a job that goes on, for who began it and for owners and admins. */
export function StopJob({ job }: { job: Job }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const { member } = useMe();
  const administers = useAdministers();
  const { id, object } = job;
  const stop = useSaving({
    run(_: undefined): Promise<Job> {
      const params = { path: { id } };
      return object === 'export'
        ? answered(console.DELETE('/console/exports/{id}', { params }))
        : answered(console.DELETE('/console/submissions/{id}', { params }));
    },
    done: () => queries.invalidateQueries({ queryKey: object === 'export' ? exportsKey(env) : submissionsKey(env) }),
  });
  if (!isMovingJob(job) || !(administers || job.created_by.id === member.id)) return null;
  return (
    <>
      {stop.error && <Failure error={stop.error} />}
      <Button size="compact-xs" variant="default" loading={stop.isRunning} onClick={() => stop.run(undefined)}>
        {t('job.stop')}
      </Button>
    </>
  );
}
