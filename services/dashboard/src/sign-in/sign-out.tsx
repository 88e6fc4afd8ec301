import { Button } from '@mantine/core';
import { useSignOut } from '../session/sign-out.ts';
import { t } from '../texts/t.ts';

/** The way back for who cannot go on. */
export function SignOut() {
  const { run, isRunning } = useSignOut();
  return (
    <Button variant="subtle" color="gray" fullWidth loading={isRunning} onClick={() => run(undefined)}>
      {t('signOut.button')}
    </Button>
  );
}
