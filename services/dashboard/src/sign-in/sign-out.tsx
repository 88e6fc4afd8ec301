import { Button } from '@mantine/core';
import { useSignOut } from '../session/sign-out.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';

/** The way back for who cannot go on. */
export function SignOut() {
  const { run, isRunning, error } = useSignOut();
  return (
    <>
      {error && <Failure error={error} />}
      <Button variant="subtle" color="gray" fullWidth loading={isRunning} onClick={() => run(undefined)}>
        {t('signOut.button')}
      </Button>
    </>
  );
}
