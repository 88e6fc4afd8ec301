import { Button } from '@mantine/core';
import { ApiError } from '@svc/client/console';
import { memo } from 'react';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import type { Saving } from '../../ui/saving.ts';
import { Time } from '../../ui/time.tsx';
import classes from './form.module.css';
import type { Keeping } from './kept.ts';

interface ButtonsProps {
  saving: Pick<Saving<'save' | 'submit'>, 'run' | 'isRunning'>;
  last: Keeping['last'];
  /** True: it was submitted before, under the number that it has. */
  isNumbered: boolean;
}

/** What ends the form, and whether it is kept until then. */
export const Buttons = memo(function Buttons({ saving, last, isNumbered }: ButtonsProps) {
  const canSubmit = useCan()('invoices:submit');
  return (
    <div>
      <div className={classes['buttons']}>
        <Button type="submit" variant={canSubmit ? 'default' : 'filled'} loading={saving.isRunning} aria-keyshortcuts="Control+Enter">
          {t(isNumbered ? 'form.save' : 'form.saveDraft')}
        </Button>
        {canSubmit && (
          <Button loading={saving.isRunning} aria-keyshortcuts="Control+Shift+Enter" onClick={() => saving.run('submit')}>
            {t(isNumbered ? 'form.submitAgain' : 'form.submit')}
          </Button>
        )}
      </div>
      <p className={classes['kept']} role="status">
        {last?.error ? t(isTooLarge(last.error) ? 'form.tooLargeToKeep' : 'form.notKept') : null}
        {last && !last.error && (
          <>
            {t('form.kept')} <Time at={last.at} />
          </>
        )}
      </p>
      <p className={classes['kept']}>{t(canSubmit ? 'form.keys' : 'form.keysSave')}</p>
    </div>
  );
});

const isTooLarge = (error: Error): boolean => error instanceof ApiError && error.status === 413;
