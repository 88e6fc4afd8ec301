import { t } from '../texts/t.ts';
import type { Saving } from './saving.ts';
import classes from './saved.module.css';

/** Says that a form was saved, beside its button. */
export const Saved = ({ saving }: { saving: Pick<Saving<never>, 'isDone'> }) => (
  <span role="status" className={classes['saved']}>
    {saving.isDone ? t('saved') : ''}
  </span>
);
