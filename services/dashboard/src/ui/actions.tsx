import type { ReactNode } from 'react';
import classes from './actions.module.css';

/** The buttons that end a form or a question, the main one last. */
export const Actions = ({ children }: { children: ReactNode }) => <div className={classes['actions']}>{children}</div>;
