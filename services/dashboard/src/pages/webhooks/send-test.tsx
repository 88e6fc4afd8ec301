import { Box, NativeSelect } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Attempt } from './attempt.tsx';
import { type EventName, eventNames } from './endpoints.ts';
import type { EndpointQuestion } from './rotate-secret.tsx';

/** Sends a sample of an event now, and shows what came back: it is kept nowhere else. */
export function SendTest({ endpoint, opened, close }: EndpointQuestion) {
  const { console } = useConsole();
  const known = eventNames.filter((name) => endpoint.events.includes('*') || endpoint.events.includes(name));
  const [type, setType] = useState<EventName>(known[0] ?? 'invoice.created');
  const [attempt, setAttempt] = useState<Parameters<typeof Attempt>[0]['attempt']>();
  const send = useSaving({
    run: (_: undefined, once) =>
      answered(
        console.POST('/console/v1/webhooks/{id}/test', {
          params: { path: { id: endpoint.id } },
          body: { event_type: type },
          headers: once,
        }),
      ),
    done: ({ attempts }) => setAttempt(attempts.at(-1)),
  });
  const end = (): void => {
    setAttempt(undefined);
    close();
  };
  return (
    <Confirm
      opened={opened}
      close={end}
      title={t('hooks.testTitle')}
      button={t(attempt ? 'hooks.testAgain' : 'hooks.testButton')}
      leave={attempt && t('action.done')}
      saving={send}
    >
      <p>{t('hooks.testAbout')}</p>
      <NativeSelect
        mt={12}
        label={t('hooks.event')}
        data={[...eventNames]}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as EventName)}
      />
      <Box mt={14} role="status">
        {attempt && <Attempt attempt={attempt} />}
      </Box>
    </Confirm>
  );
}
