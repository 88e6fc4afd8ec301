import type { ReactNode } from 'react';
import classes from './fields.module.css';

/** The fields of a form, one below the other. */
export const Fields = ({ children }: { children: ReactNode }) => <div className={classes['fields']}>{children}</div>;

/** Fields beside each other, where the window is wide. */
export const Columns = ({ children }: { children: ReactNode }) => <div className={classes['columns']}>{children}</div>;
