import { Skeleton } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showTime } from '../../format/dates.ts';
import { showBytes, showNumber } from '../../format/numbers.ts';
import { useMe } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Days } from './days.tsx';
import { Meter } from './meter.tsx';

/** How much of each limit is used in the environment that is shown, and the requests of 30 days. */
export function Usage() {
  const { account } = useMe();
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'usage'],
    queryFn: ({ signal }) => answered(console.GET('/console/usage', { signal })),
    refetchInterval: 30_000,
  });
  return (
    <>
      <Panel title={t('usage.title', { plan: named('plan', account.plan) })} about={t('usage.about')}>
        {error && <Failure error={error} again={() => void refetch()} />}
        {!data && !error && <Skeleton height={120} />}
        {data && <Meters usage={data} />}
      </Panel>
      {data && (
        <Panel title={t('usage.requests')}>
          <Days days={data.requests} />
        </Panel>
      )}
    </>
  );
}

const Meters = ({ usage: { limits, storage } }: { usage: Resource<'Usage'> }) => (
  <>
    {limits.map(({ name, size, used, reset }) => (
      <Meter
        key={name}
        label={named('limit', name)}
        value={used}
        max={size}
        text={t('usage.of', { used: showNumber(used), size: showNumber(size) })}
        about={used > 0 && name !== 'burst' ? t('usage.reset', { at: showTime(reset) }) : undefined}
      />
    ))}
    <Meter
      label={t('limit.storage')}
      value={storage.bytes}
      max={storage.quota ?? storage.bytes}
      text={
        storage.quota === null
          ? showBytes(storage.bytes)
          : t('usage.of', { used: showBytes(storage.bytes), size: showBytes(storage.quota) })
      }
    />
  </>
);
