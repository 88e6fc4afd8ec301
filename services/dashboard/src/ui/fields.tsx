import type { ReactNode } from 'react';
import classes from './fields.module.css';

/** The fields of a form, one below the other. */
export const Fields = ({ children }: { children: ReactNode }) => <div className={classes['fields']}>{children}</div>;
