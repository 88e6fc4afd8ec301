import { NativeSelect, Skeleton } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showTime } from '../../format/dates.ts';
import { showMilliseconds, showNumber } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { endpointKey } from './endpoints.ts';
import classes from './stats.module.css';

type Hour = Resource<'HourOfEndpoint'>;
const spans = ['24', '168'] as const;
/** Thousands of deliveries are read for it. */
const REFRESHED_MS = 60_000;

interface StatsProps {
  endpoint: string;
  /** The state of the newest recovery: its end is shown at once. */
  recovery: string | undefined;
  /** The page has what it is opened for. */
  isDue: boolean;
}

/** What was sent to an endpoint by the hour, and how long it took to answer. */
export function Stats({ endpoint: id, recovery, isDue }: StatsProps) {
  const { console, env } = useConsole();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { hours?: string };
  const hours = spans.find((one) => one === search.hours) ?? '24';
  const { data, error, refetch } = useQuery({
    queryKey: [...endpointKey(env, id), 'stats', hours, recovery],
    queryFn: ({ signal }) => answered(console.GET('/console/webhooks/{id}/stats', { params: { path: { id }, query: { hours } }, signal })),
    enabled: isDue,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESHED_MS,
  });
  const choose = (value: string): void =>
    void navigate({
      to: '.',
      replace: true,
      search: ((before: object) => ({ ...before, hours: value === '24' ? undefined : value })) as never,
    });
  return (
    <Panel
      title={t('stats.title')}
      actions={
        <NativeSelect
          size="xs"
          aria-label={t('stats.span')}
          data={spans.map((value) => ({ value, label: t(`stats.span.${value}`) }))}
          value={hours}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
    >
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} />}
      {data && <Shown hours={data.data} />}
    </Panel>
  );
}

const sum = (hours: readonly Hour[], of: 'succeeded' | 'failed'): number => hours.reduce((all, hour) => all + hour[of], 0);
const most = (hours: readonly Hour[], of: 'p50' | 'p95'): number | null => {
  const known = hours.flatMap((hour) => hour[of] ?? []);
  return known.length === 0 ? null : Math.max(...known);
};

function Shown({ hours }: { hours: readonly Hour[] }) {
  const [succeeded, failed] = [sum(hours, 'succeeded'), sum(hours, 'failed')];
  if (succeeded + failed === 0) return <p className={classes['none']}>{t('stats.none')}</p>;
  const slowest = [most(hours, 'p50'), most(hours, 'p95')] as const;
  return (
    <>
      <dl className={classes['figures']}>
        <Figure name={t('stats.succeeded')} value={showNumber(succeeded)} />
        <Figure name={t('stats.failed')} value={showNumber(failed)} />
        {slowest[0] !== null && <Figure name={t('stats.p50')} value={showMilliseconds(slowest[0])} />}
        {slowest[1] !== null && <Figure name={t('stats.p95')} value={showMilliseconds(slowest[1])} />}
      </dl>
      <Plot hours={hours} label={t('stats.plot', { succeeded, failed })} />
      <p className={classes['times']} aria-hidden>
        <span>{hours[0] && showTime(hours[0].at)}</span>
        <span>{t('stats.now')}</span>
      </p>
    </>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className={classes['name']}>{name}</dt>
    <dd className={classes['figure']}>{value}</dd>
  </div>
);

const HEIGHT = 100;

/** A bar an hour: what failed stands on what succeeded. */
function Plot({ hours, label }: { hours: readonly Hour[]; label: string }) {
  const highest = Math.max(...hours.map((hour) => hour.succeeded + hour.failed));
  const part = (count: number): number => (count / highest) * HEIGHT;
  return (
    <svg className={classes['plot']} viewBox={`0 0 ${hours.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {hours.map(({ at, succeeded, failed }, n) => (
        <g key={at}>
          <title>{t('stats.hour', { at: showTime(at), succeeded, failed })}</title>
          <rect className={classes['good']} x={n + 0.12} width={0.76} y={HEIGHT - part(succeeded)} height={part(succeeded)} />
          <rect className={classes['bad']} x={n + 0.12} width={0.76} y={HEIGHT - part(succeeded + failed)} height={part(failed)} />
        </g>
      ))}
    </svg>
  );
}
