import { Button, Menu, Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSaving } from '../../ui/saving.ts';
import { ChangeEndpoint } from './change-endpoint.tsx';
import { type Endpoint, endpointKey, endpointsKey } from './endpoints.ts';
import { DeleteEndpoint, DisableEndpoint } from './end-endpoint.tsx';
import { Recover } from './recover.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SendTest } from './send-test.tsx';

type Action = 'test' | 'change' | 'recover' | 'rotate' | 'disable' | 'delete';

interface EndpointActionsProps {
  endpoint: Endpoint;
  showSecret: (secret: string) => void;
}

/** Everything that is done to an endpoint, for who may. */
export function EndpointActions({ endpoint, showSecret }: EndpointActionsProps) {
  const { console, env } = useConsole();
  const can = useCan();
  const queries = useQueryClient();
  const [action, setAction] = useState<Action>();
  const close = (): void => setAction(undefined);
  const show = (now: Endpoint): void => {
    queries.setQueryData(endpointKey(env, endpoint.id), { ...now, secret: undefined });
    if (now.secret) showSecret(now.secret);
    close();
    void queries.invalidateQueries({ queryKey: endpointsKey(env) });
  };
  const path = { id: endpoint.id };
  const enable = useSaving({
    run: (_: undefined, once) => answered(console.POST('/console/v1/webhooks/{id}/enable', { params: { path }, body: {}, headers: once })),
    done: show,
  });
  if (!can('webhooks:write')) return null;
  const isEnabled = endpoint.status === 'enabled';
  return (
    <>
      {enable.error && <Failure error={enable.error} />}
      {!isEnabled && (
        <Button loading={enable.isRunning} onClick={() => enable.run(undefined)}>
          {t('hooks.enable')}
        </Button>
      )}
      {isEnabled && (
        <Button variant="default" onClick={() => setAction('test')}>
          {t('hooks.test')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAction('change')}>
        {t('hooks.change')}
      </Button>
      <Menu position="bottom-end" shadow="md" width={220}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {t('action.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isEnabled && <Menu.Item onClick={() => setAction('recover')}>{t('hooks.recover')}</Menu.Item>}
          <Menu.Item onClick={() => setAction('rotate')}>{t('hooks.rotate')}</Menu.Item>
          {isEnabled && <Menu.Item onClick={() => setAction('disable')}>{t('hooks.disable')}</Menu.Item>}
          <Menu.Divider />
          <Menu.Item onClick={() => setAction('delete')}>{t('hooks.delete')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={action === 'change'} onClose={close} title={t('hooks.changeTitle')} size={580}>
        <ChangeEndpoint endpoint={endpoint} done={show} cancel={close} />
      </Modal>
      <SendTest endpoint={endpoint} opened={action === 'test'} close={close} />
      <Recover endpoint={endpoint} opened={action === 'recover'} close={close} />
      <RotateSecret endpoint={endpoint} opened={action === 'rotate'} close={close} done={show} />
      <DisableEndpoint endpoint={endpoint} opened={action === 'disable'} close={close} done={show} />
      <DeleteEndpoint endpoint={endpoint} opened={action === 'delete'} close={close} />
    </>
  );
}
