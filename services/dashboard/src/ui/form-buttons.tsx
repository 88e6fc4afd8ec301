import { Button } from '@mantine/core';
import { t } from '../texts/t.ts';
import { Actions } from './actions.tsx';
import type { Saving } from './saving.ts';

interface FormButtonsProps {
  cancel: () => void;
  saving: Pick<Saving<never>, 'isRunning'>;
  /** The word on the button that sends the form. */
  button: string;
}

/** What ends a form in a dialog: to leave it, or to send it. */
export const FormButtons = ({ cancel, saving, button }: FormButtonsProps) => (
  <Actions>
    <Button variant="default" onClick={cancel}>
      {t('action.cancel')}
    </Button>
    <Button type="submit" loading={saving.isRunning}>
      {button}
    </Button>
  </Actions>
);
