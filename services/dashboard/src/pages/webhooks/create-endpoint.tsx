import { Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Once } from '../../api/intent.ts';
import { t } from '../../texts/t.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { creationOf, emptyEndpoint, type EndpointValues } from './endpoint-values.ts';
import { type Endpoint, endpointAddress, endpointsKey, freshSecrets } from './endpoints.ts';

/** A form for a new endpoint, which leads to its page: the secret is shown there, once. */
export const CreateEndpoint = ({ opened, close }: { opened: boolean; close: () => void }) => (
  <Modal opened={opened} onClose={close} title={t('hooks.create')} size={580}>
    {opened && <NewEndpoint close={close} />}
  </Modal>
);

function NewEndpoint({ close }: { close: () => void }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = (values: EndpointValues, once: Once) =>
    answered(console.POST('/console/v1/webhooks', { body: creationOf(values), headers: once }));
  const show = async (made: Endpoint): Promise<void> => {
    freshSecrets.put(made.id, made.secret);
    void queries.invalidateQueries({ queryKey: endpointsKey(env) });
    await navigate({ to: endpointAddress(made.id), search: ((before: object) => ({ ...before, create: undefined })) as never });
  };
  return <EndpointForm initial={emptyEndpoint} save={create} done={show} button={t('hooks.createButton')} cancel={close} />;
}
