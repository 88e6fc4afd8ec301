import { t } from '../../texts/t.ts';
import classes from './plot.module.css';

interface Bar {
  name: string;
  /** What is drawn. A picture does not need all digits. */
  height: number;
  /** The exact value. */
  shown: string;
}

const MOST = 120;
/** One bar alone is not as wide as the page. */
const LEAST = 12;
const HEIGHT = 120;
const GAP = 0.25;

/** Bars above and below a line of zero. The table beside it says the same: to who does not see it, it is one picture. */
export function Plot({ label, bars: all }: { label: string; bars: readonly Bar[] }) {
  const bars = all.slice(0, MOST);
  const high = Math.max(0, ...bars.map(({ height }) => height));
  const low = Math.min(0, ...bars.map(({ height }) => height));
  const scale = HEIGHT / (high - low || 1);
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  return (
    <figure className={classes['plot']}>
      <figcaption className={classes['caption']}>{label}</figcaption>
      <svg
        viewBox={`0 0 ${Math.max(bars.length, LEAST)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className={classes['bars']}
      >
        {bars.map(({ name, height, shown }, n) => (
          <rect
            key={n}
            x={n + GAP / 2}
            width={1 - GAP}
            y={(high - Math.max(0, height)) * scale}
            height={Math.max(1, Math.abs(height) * scale)}
            data-below={height < 0 || undefined}
          >
            <title>{`${name}: ${shown}`}</title>
          </rect>
        ))}
      </svg>
      <p className={classes['ends']} aria-hidden>
        <span>{first.name}</span>
        <span>{last === first ? '' : last.name}</span>
      </p>
      {all.length > MOST && <p>{t('reports.plotMost', { count: MOST })}</p>}
    </figure>
  );
}
