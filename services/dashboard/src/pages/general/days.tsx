import { showDay } from '../../format/dates.ts';
import { showNumber } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import classes from './days.module.css';

const HEIGHT = 96;

/** Requests a day: a bar each,. */
export function Days({ days }: { days: readonly { day: string; count: number }[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const first = days[0]?.day;
  const last = days.at(-1)?.day;
  return (
    <figure className={classes['figure']}>
      <p className={classes['total']}>{t('usage.total', { count: total })}</p>
      <svg className={classes['bars']} viewBox={`0 0 ${days.length * 10} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {days.map(({ day, count }, n) => {
          const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT);
          return (
            <rect key={day} x={n * 10 + 1} y={HEIGHT - height} width={8} height={height} data-none={count === 0 || undefined}>
              <title>{`${showDay(day)}: ${showNumber(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      {first && last && (
        <figcaption className={classes['ends']}>
          <span>{showDay(first)}</span>
          <span>{t('usage.most', { count: most })}</span>
          <span>{showDay(last)}</span>
        </figcaption>
      )}
    </figure>
  );
}
