import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Endpoint, endpointKey, endpointsAddress, endpointsKey } from './endpoints.ts';
import type { EndpointQuestion } from './rotate-secret.tsx';

/** Stops sending, until it is enabled. */
export function DisableEndpoint({ endpoint, opened, close, done }: EndpointQuestion & { done: (now: Endpoint) => void }) {
  const { console } = useConsole();
  const disable = useSaving({
    run: (_: undefined) =>
      answered(console.PATCH('/console/v1/webhooks/{id}', { params: { path: { id: endpoint.id } }, body: { status: 'disabled' } })),
    done,
  });
  return (
    <Confirm opened={opened} close={close} title={t('hooks.disableTitle')} button={t('hooks.disable')} saving={disable}>
      <p>{t('hooks.disableAbout')}</p>
    </Confirm>
  );
}

/** Removes it, and leads to the others. */
export function DeleteEndpoint({ endpoint, opened, close }: EndpointQuestion) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useSaving({
    run: (_: undefined) => answered(console.DELETE('/console/v1/webhooks/{id}', { params: { path: { id: endpoint.id } } })),
    async done() {
      await navigate({ to: endpointsAddress });
      queries.removeQueries({ queryKey: endpointKey(env, endpoint.id) });
      await queries.invalidateQueries({ queryKey: endpointsKey(env) });
    },
  });
  return (
    <Confirm opened={opened} close={close} title={t('hooks.deleteTitle')} button={t('hooks.delete')} saving={remove} isDangerous>
      <p>{t('hooks.deleteAbout', { url: endpoint.url })}</p>
    </Confirm>
  );
}
