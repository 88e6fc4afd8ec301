import type { ReactNode } from 'react';
import classes from './badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'info';

/** A state in one or two words. */
export const Badge = ({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classes['badge']} data-tone={tone}>
    {children}
  </span>
);
