import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useEnvironment } from '../api/environment.ts';
import { useMe } from '../session/session.ts';
import { t } from '../texts/t.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** What stands beside the title, such as a state. */
  beside?: ReactNode;
  /** One sentence below it. */
  about?: ReactNode;
  actions?: ReactNode;
  /** The list that a page of one thing belongs to. */
  back?: { to: string; label: string };
  children: ReactNode;
}

/** A page: its title, what can be done with it, and what it holds. The window's title begins with the environment. */
export function Page({ title, beside, about, actions, back, children }: PageProps) {
  const env = useEnvironment();
  const { account } = useMe();
  useEffect(() => {
    document.title = `${t(`env.${env}`)} · ${title} · ${account.name}`;
  }, [env, title, account.name]);
  return (
    <>
      {back && (
        <Link to={back.to} className={classes['back']}>
          <Icon name="back" size={14} />
          {back.label}
        </Link>
      )}
      <div className={classes['head']}>
        <div className={classes['names']}>
          <div className={classes['line']}>
            <h1 className={classes['title']}>{title}</h1>
            {beside}
          </div>
          {about && <p className={classes['about']}>{about}</p>}
        </div>
        {actions && <div className={classes['actions']}>{actions}</div>}
      </div>
      {children}
    </>
  );
}
