import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import classes from './sign-in.module.css';

/** The page of who is not signed in yet: one panel. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <main className={classes['page']}>
    <div className={classes['column']}>
      <p className={classes['product']}>{t('product')}</p>
      <div className={classes['panel']}>{children}</div>
      <p className={classes['foot']}>
        <a href="/docs">{t('signIn.docs')}</a>
      </p>
    </div>
  </main>
);

/** What a step is for. */
export const StepTitle = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={classes['head']}>
    <h1 className={classes['title']}>{title}</h1>
    {children && <p className={classes['about']}>{children}</p>}
  </div>
);
