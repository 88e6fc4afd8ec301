import { Button, Modal, NativeSelect } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { ChangeKey } from './change-key.tsx';
import { keyKey, keysKey } from './keys.ts';

type Key = Resource<'ConsoleKey'>;
type Action = 'change' | 'rotate' | 'revoke';

const graces = ['0', '3600', '86400', '604800'] as const;

interface KeyActionsProps {
  apiKey: Key;
  showValue: (value: string | undefined) => void;
}

/** Changes, rotates and revokes a key, for who may. */
export function KeyActions({ apiKey: key, showValue }: KeyActionsProps) {
  const [action, setAction] = useState<Action>();
  const [grace, setGrace] = useState('86400');
  const queries = useQueryClient();
  const path = { id: key.id };
  const close = (): void => setAction(undefined);
  const done = async (now: Key): Promise<void> => {
    queries.setQueryData(keyKey(key.id), { ...now, key: undefined });
    if (now.key) showValue(now.key);
    close();
    await queries.invalidateQueries({ queryKey: keysKey });
  };
  const rotate = useSaving({
    run: (_: undefined, once) =>
      answered(
        general.POST('/console/api-keys/{id}/rotate', {
          params: { path },
          body: { grace_period_seconds: Number(grace) },
          headers: once,
        }),
      ),
    done,
  });
  const revoke = useSaving({ run: (_: undefined) => answered(general.DELETE('/console/api-keys/{id}', { params: { path } })), done });
  const can = useCan();
  if (!can('api_keys:write', key.livemode ? 'live' : 'test')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAction('change')}>
        {t('keys.change')}
      </Button>
      <Button variant="default" onClick={() => setAction('rotate')}>
        {t('keys.rotate')}
      </Button>
      <Button variant="default" color="red" onClick={() => setAction('revoke')}>
        {t('keys.revoke')}
      </Button>
      <Modal opened={action === 'change'} onClose={close} title={key.name} size={520}>
        <ChangeKey apiKey={key} done={done} cancel={close} />
      </Modal>
      <Confirm opened={action === 'rotate'} close={close} title={t('keys.rotateTitle')} button={t('keys.rotate')} saving={rotate}>
        <p>{t('keys.rotateAbout')}</p>
        <NativeSelect
          mt={12}
          label={t('keys.grace')}
          data={graces.map((value) => ({ value, label: t(`keys.grace.${value}`) }))}
          value={grace}
          onChange={(event) => setGrace(event.currentTarget.value)}
        />
      </Confirm>
      <Confirm
        opened={action === 'revoke'}
        close={close}
        title={t('keys.revokeTitle')}
        button={t('keys.revoke')}
        saving={revoke}
        isDangerous
      >
        <p>{t('keys.revokeAbout', { name: key.name })}</p>
      </Confirm>
    </>
  );
}
