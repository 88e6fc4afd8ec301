import { Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Intent, Once } from '../../api/intent.ts';
import type { Resource } from '../../api/types.ts';
import { localTime } from '../../format/dates.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useIntent, useSaving } from '../../ui/saving.ts';
import { type Endpoint, endpointKey, type EventName } from './endpoints.ts';
import { EventChoice } from './event-choice.tsx';
import type { EndpointQuestion } from './rotate-secret.tsx';

/** Sends events again that never arrived: counted first, then for good. */
export function Recover({ endpoint, opened, close }: EndpointQuestion) {
  const intent = useIntent();
  return (
    <Modal opened={opened} onClose={close} title={t('recover.title')} size={580}>
      {opened && <RecoverForm endpoint={endpoint} close={close} intent={intent} />}
    </Modal>
  );
}

interface Values {
  since: string;
  until: string;
  events: string[];
}

const DAY_MS = 86_400_000;
/** Since it began to fail; else the last day. */
const initialOf = ({ health }: Endpoint): Values => ({
  ...{ since: localTime(health.failing_since ?? new Date(Date.now() - DAY_MS).toISOString()), until: '', events: ['*'] },
});

const requestOf = ({ since, until, events }: Values): Resource<'RecoverWebhook'> => ({
  ...(since !== '' && { since: new Date(since).toISOString() }),
  ...(until !== '' && { until: new Date(until).toISOString() }),
  ...(!events.includes('*') && { event_types: events as EventName[] }),
});

function RecoverForm({ endpoint, close, intent }: Omit<EndpointQuestion, 'opened'> & { intent: Intent }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const [counted, setCounted] = useState<Resource<'Recovery'>>();
  const form = useForm({ initialValues: initialOf(endpoint), onValuesChange: () => setCounted(undefined) });
  const setErrors = ({ event_types: events, ...rest }: Record<string, string>): void => form.setErrors({ ...rest, events });
  const recover = (values: Values, dry: boolean, headers: Once) =>
    answered(
      console.POST('/console/v1/webhooks/{id}/recover', {
        params: { path: { id: endpoint.id } },
        body: { ...requestOf(values), dry_run: dry },
        headers,
      }),
    );
  const fields = { setErrors, fields: ['since', 'until', 'event_types'] };
  const count = useSaving({ run: (values: Values, once) => recover(values, true, once), done: setCounted, form: fields });
  const start = useSaving({
    run: (values: Values, once) => recover(values, false, once),
    async done() {
      await queries.invalidateQueries({ queryKey: endpointKey(env, endpoint.id) });
      close();
    },
    intent,
    form: fields,
  });
  const error = count.error ?? start.error;
  const isFound = counted !== undefined && counted.matched > 0;
  return (
    <form onSubmit={form.onSubmit(isFound ? start.run : count.run)}>
      {error && <Failure error={error} />}
      <Fields>
        <p>{t('recover.about')}</p>
        <TextInput type="datetime-local" required label={t('recover.since')} {...form.getInputProps('since')} />
        <TextInput
          type="datetime-local"
          label={t('recover.until')}
          description={t('recover.untilAbout')}
          {...form.getInputProps('until')}
        />
        <EventChoice value={form.values.events} onChange={(events) => form.setFieldValue('events', events)} error={form.errors['events']} />
        {counted && <Counted counted={counted} />}
      </Fields>
      <FormButtons
        cancel={close}
        saving={{ isRunning: count.isRunning || start.isRunning }}
        button={isFound ? t('recover.start') : t('recover.count')}
      />
    </form>
  );
}

/** What a dry run has found: events that no delivery has brought there. Counting ends after some seconds, and goes on when it is done for good. */
const Counted = ({ counted: { matched, counting } }: { counted: Resource<'Recovery'> }) => (
  <Notice tone={matched > 0 ? 'info' : 'calm'} title={t(matched > 0 ? 'recover.found' : 'recover.foundNone', { count: matched })}>
    {t(counting ? 'recover.counting' : matched > 0 ? 'recover.foundText' : 'recover.foundNoneText')}
  </Notice>
);
