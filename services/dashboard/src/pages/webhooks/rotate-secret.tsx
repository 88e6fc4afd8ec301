import { NativeSelect } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import type { Endpoint } from './endpoints.ts';

export interface EndpointQuestion {
  endpoint: Endpoint;
  opened: boolean;
  close: () => void;
}

const graces = ['0', '3600', '86400', '604800'] as const;

/** A new secret; the one before signs too until its time is over. */
export function RotateSecret({ endpoint, opened, close, done }: EndpointQuestion & { done: (now: Endpoint) => void }) {
  const { console } = useConsole();
  const [grace, setGrace] = useState('86400');
  const rotate = useSaving({
    run: (_: undefined, once) =>
      answered(
        console.POST('/console/v1/webhooks/{id}/rotate-secret', {
          params: { path: { id: endpoint.id } },
          body: { grace_period_seconds: Number(grace) },
          headers: once,
        }),
      ),
    done,
  });
  return (
    <Confirm opened={opened} close={close} title={t('hooks.rotateTitle')} button={t('hooks.rotate')} saving={rotate}>
      <p>{t('hooks.rotateAbout')}</p>
      <NativeSelect
        mt={12}
        label={t('hooks.grace')}
        data={graces.map((value) => ({ value, label: t(`keys.grace.${value}`) }))}
        value={grace}
        onChange={(event) => setGrace(event.currentTarget.value)}
      />
    </Confirm>
  );
}
