import { Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Intent, Once } from '../../api/intent.ts';
import { t } from '../../texts/t.ts';
import { useIntent } from '../../ui/saving.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { creationOf, emptyEndpoint, type EndpointValues } from './endpoint-values.ts';
import { type Endpoint, endpointAddress, endpointsKey, freshSecrets } from './endpoints.ts';

/** A form for a new endpoint, which leads to its page: the secret is shown there, once. */
export function CreateEndpoint({ opened, close }: { opened: boolean; close: () => void }) {
  const intent = useIntent();
  return (
    <Modal opened={opened} onClose={close} title={t('hooks.create')} size={580}>
      {opened && <NewEndpoint close={close} intent={intent} />}
    </Modal>
  );
}

function NewEndpoint({ close, intent }: { close: () => void; intent: Intent }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  // After a failure, too: without an answer the list says whether it is there.
  const refresh = (): void => void queries.invalidateQueries({ queryKey: endpointsKey(env) });
  const create = (values: EndpointValues, once: Once) =>
    answered(console.POST('/console/v1/webhooks', { body: creationOf(values), headers: once })).finally(refresh);
  const show = async (made: Endpoint): Promise<void> => {
    freshSecrets.put(made.id, made.secret);
    await navigate({ to: endpointAddress(made.id), search: ((before: object) => ({ ...before, create: undefined })) as never });
  };
  return <EndpointForm initial={emptyEndpoint} save={create} done={show} intent={intent} button={t('hooks.createButton')} cancel={close} />;
}
