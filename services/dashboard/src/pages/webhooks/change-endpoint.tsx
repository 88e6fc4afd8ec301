import { answered } from '@svc/client/console';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { createChange } from '../../ui/change.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { changesOf, type EndpointValues, mergedValues, valuesOf } from './endpoint-values.ts';
import type { Endpoint } from './endpoints.ts';

interface ChangeEndpointProps {
  endpoint: Endpoint;
  done: (now: Endpoint) => void;
  cancel: () => void;
}

/** The form of an endpoint as it is when it is opened. */
export function ChangeEndpoint({ endpoint, done, cancel }: ChangeEndpointProps) {
  const { console } = useConsole();
  const [change] = useState(() => {
    const params = { path: { id: endpoint.id } };
    return createChange<Endpoint, EndpointValues>({
      opened: endpoint,
      valuesOf,
      read: () => answered(console.GET('/console/v1/webhooks/{id}', { params })),
      write: ({ before, values, headers }) =>
        answered(console.PATCH('/console/v1/webhooks/{id}', { params, headers, body: changesOf(before, values) })),
      merge: mergedValues,
    });
  });
  return <EndpointForm initial={change.initial} save={change.save} done={done} button={t('action.save')} cancel={cancel} />;
}
