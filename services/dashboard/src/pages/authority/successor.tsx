import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { CertificateFacts } from './certificate-facts.tsx';
import { type Credentials, showCredentials } from './credentials.ts';

/** The certificate that follows, which may also take over before its time. */
export const Successor = ({ successor }: { successor: NonNullable<Credentials['successor']> }) => (
  <Panel title={t('authority.successor')} about={t('authority.successorAbout')} actions={<Activate />}>
    <CertificateFacts certificate={successor} />
  </Panel>
);

function Activate() {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const canWrite = useCan()('settings:write');
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const activating = useSaving({
    run: (_: undefined, once) => answered(console.POST('/console/v1/fiscal-credentials/activate', { body: {}, headers: once })),
    done(now) {
      close();
      showCredentials(queries, env, now);
    },
  });
  if (!canWrite) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
        {t('authority.activate')}
      </Button>
      <Confirm opened={isAsked} close={close} title={t('authority.activateTitle')} button={t('authority.activate')} saving={activating}>
        <p>{t('authority.activateAbout')}</p>
      </Confirm>
    </>
  );
}
