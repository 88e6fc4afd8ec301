import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { showCredentials } from './credentials.ts';

export function RemoveCertificate() {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const canWrite = useCan()('settings:write');
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const removing = useSaving({
    run: (_: undefined) => answered(console.DELETE('/console/v1/fiscal-credentials')),
    done() {
      close();
      showCredentials(queries, env, null);
    },
  });
  if (!canWrite) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
        {t('authority.remove')}
      </Button>
      <Confirm
        opened={isAsked}
        close={close}
        title={t('authority.removeTitle')}
        button={t('authority.remove')}
        saving={removing}
        isDangerous
      >
        <p>{t('authority.removeAbout')}</p>
      </Confirm>
    </>
  );
}
