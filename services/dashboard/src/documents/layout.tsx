import type { ReactNode } from 'react';
import classes from './layout.module.css';

/** A document, and beside it in a wide window the paper that it makes. */
export const Layout = ({ children, beside }: { children: ReactNode; beside?: ReactNode }) => (
  <div className={classes['layout']} data-beside={beside ? true : undefined}>
    <div>{children}</div>
    {beside && <div className={classes['beside']}>{beside}</div>}
  </div>
);
