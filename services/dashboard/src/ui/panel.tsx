import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title?: string;
  /** One sentence below the title. */
  about?: ReactNode;
  actions?: ReactNode;
  /** True: what it holds goes to its edges, as a table does. */
  flush?: boolean;
  children?: ReactNode;
}

/** A part of a page with a frame. */
export const Panel = ({ title, about, actions, flush, children }: PanelProps) => (
  <section className={classes['panel']} aria-label={title}>
    {title && (
      <div className={classes['head']}>
        <div>
          <h2 className={classes['title']}>{title}</h2>
          {about && <p className={classes['about']}>{about}</p>}
        </div>
        {actions && <div className={classes['actions']}>{actions}</div>}
      </div>
    )}
    {children && <div className={flush ? undefined : classes['body']}>{children}</div>}
  </section>
);
