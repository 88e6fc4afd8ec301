import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Actions } from './actions.tsx';
import { Failure } from './failure.tsx';
import type { Saving } from './saving.ts';

interface ConfirmProps {
  opened: boolean;
  close: () => void;
  title: string;
  /** What happens. */
  children: ReactNode;
  /** The word on the button that does it. */
  button: string;
  saving: Pick<Saving<undefined>, 'run' | 'isRunning' | 'error'>;
  isDangerous?: boolean;
  /** The word on the button that leaves it as it is. */
  leave?: string | undefined;
}

/** Asks before something is done that cannot be undone, or that needs a choice. */
export const Confirm = ({ opened, close, title, children, button, saving, isDangerous, leave = t('action.cancel') }: ConfirmProps) => (
  <Modal opened={opened} onClose={close} title={title}>
    {saving.error && <Failure error={saving.error} />}
    {children}
    <Actions>
      <Button variant="default" onClick={close}>
        {leave}
      </Button>
      <Button data-autofocus color={isDangerous ? 'red.9' : undefined} loading={saving.isRunning} onClick={() => saving.run(undefined)}>
        {button}
      </Button>
    </Actions>
  </Modal>
);
