import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Actions } from './actions.tsx';
import { Failure } from './failure.tsx';
import { Fields } from './fields.tsx';
import classes from './form-panel.module.css';
import { Panel } from './panel.tsx';
import { Saved } from './saved.tsx';
import type { Saving } from './saving.ts';

interface FormPanelProps {
  title: string;
  about?: ReactNode;
  saving: Pick<Saving<never>, 'isRunning' | 'isDone' | 'error'>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The word on its button. */
  button?: string;
  /** False: it is shown and cannot be changed. */
  canWrite: boolean;
  children: ReactNode;
}

/** A form that is a part of a page, saved by itself. */
export const FormPanel = ({ title, about, saving, onSubmit, button, canWrite, children }: FormPanelProps) => (
  <Panel title={title} about={about}>
    <form onSubmit={onSubmit}>
      {saving.error && <Failure error={saving.error} />}
      <fieldset disabled={!canWrite} className={classes['fields']}>
        <Fields>{children}</Fields>
        {canWrite && (
          <Actions>
            <Saved saving={saving} />
            <Button type="submit" loading={saving.isRunning}>
              {button ?? t('action.save')}
            </Button>
          </Actions>
        )}
      </fieldset>
    </form>
  </Panel>
);
