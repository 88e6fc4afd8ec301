import { NativeSelect } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { deliveryAddress, endpointKey, type EventName, eventNames } from './endpoints.ts';
import type { EndpointQuestion } from './rotate-secret.tsx';

/** Sends a sample of an event now, and leads to what came back. */
export function SendTest({ endpoint, opened, close }: EndpointQuestion) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const known = eventNames.filter((name) => endpoint.events.includes('*') || endpoint.events.includes(name));
  const [type, setType] = useState<EventName>(known[0] ?? 'invoice.created');
  const send = useSaving({
    run: (_: undefined, once) =>
      answered(
        console.POST('/console/v1/webhooks/{id}/test', {
          params: { path: { id: endpoint.id } },
          body: { event_type: type },
          headers: once,
        }),
      ),
    async done(delivery) {
      void queries.invalidateQueries({ queryKey: endpointKey(env, endpoint.id) });
      queries.setQueryData([...endpointKey(env, endpoint.id), 'deliveries', delivery.id], delivery);
      await navigate({ to: deliveryAddress(endpoint.id, delivery.id) });
    },
  });
  return (
    <Confirm opened={opened} close={close} title={t('hooks.testTitle')} button={t('hooks.testButton')} saving={send}>
      <p>{t('hooks.testAbout')}</p>
      <NativeSelect
        mt={12}
        label={t('hooks.event')}
        data={[...eventNames]}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as EventName)}
      />
    </Confirm>
  );
}
