import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names with their values. A value that is null shows as a dash. */
export const Facts = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes['facts']}>
    {rows.map(([name, value]) => (
      <div key={name} className={classes['row']}>
        <dt className={classes['name']}>{name}</dt>
        <dd className={classes['value']}>{value ?? '—'}</dd>
      </div>
    ))}
  </dl>
);
