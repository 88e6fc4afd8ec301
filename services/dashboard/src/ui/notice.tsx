import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { Icon, type IconName } from './icon.tsx';
import classes from './notice.module.css';

const icons: Record<Tone, IconName> = { good: 'check', warn: 'warning', bad: 'warning', calm: 'info', info: 'info' };

interface NoticeProps {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** What a person has to know before going on. A failure is announced at once. */
export const Notice = ({ tone, title, children, action }: NoticeProps) => (
  <div className={classes['notice']} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
    <span className={classes['icon']}>
      <Icon name={icons[tone]} />
    </span>
    <div className={classes['text']}>
      {title && <p className={classes['title']}>{title}</p>}
      {children && <div>{children}</div>}
    </div>
    {action && <div>{action}</div>}
  </div>
);
