import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './empty.module.css';

interface EmptyProps {
  icon: IconName;
  title: string;
  /** What to do next. */
  children?: ReactNode;
  action?: ReactNode;
}

/** What a list shows while it has nothing. */
export const Empty = ({ icon, title, children, action }: EmptyProps) => (
  <div className={classes['empty']}>
    <span className={classes['icon']}>
      <Icon name={icon} size={22} />
    </span>
    <p className={classes['title']}>{title}</p>
    {children && <div className={classes['text']}>{children}</div>}
    {action && <div className={classes['action']}>{action}</div>}
  </div>
);
