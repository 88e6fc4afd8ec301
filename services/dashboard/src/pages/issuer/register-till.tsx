import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { issuerKey } from '../../documents/issuer.ts';
import { useCan } from '../../session/session.ts';
import { setupQuery } from '../../session/setup.ts';
import { named, t } from '../../texts/t.ts';
import { forPeople } from '../../texts/for-people.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSaving } from '../../ui/saving.ts';
import type { Device } from './device-values.ts';

/** How long the answer waits for the authority. */
const WAIT_SECONDS = 10;

/** Why the authority has refused a till and what to do, and the button that registers it. `isChanged`: what is typed is not saved. */
export function RegisterTill({ device, isChanged }: { device: Device; isChanged: boolean }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const canWrite = useCan()('settings:write');
  const { code, unit, state, error } = device;
  const registering = useSaving({
    run(_: undefined, once) {
      const headers = { ...once, Prefer: `wait=${WAIT_SECONDS}` };
      const options = { params: { path: { code } }, body: { unit }, headers };
      // After a failure, too: it may have been asked for.
      return answered(console.POST('/console/v1/issuer/devices/{code}/register', options)).finally(() => {
        void queries.invalidateQueries({ queryKey: issuerKey(env) });
        void queries.invalidateQueries(setupQuery);
      });
    },
  });
  if (state === 'registered') return null;
  return (
    <>
      {state === 'registering' && !registering.isRunning && <Notice tone="info">{t('devices.waits')}</Notice>}
      {error && (
        <Notice tone="bad" title={t('devices.refusedTitle', { device: code })}>
          <p>
            <bdi>{forPeople(error.message)}</bdi> (<bdi>{error.code}</bdi>)
          </p>
          {named('devices.fix', error.fixable ?? 'setup')}
        </Notice>
      )}
      {registering.error && <Failure error={registering.error} />}
      {canWrite && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isChanged}
            loading={registering.isRunning}
            onClick={() => registering.run(undefined)}
          >
            {t(state === 'registering' ? 'devices.again' : 'devices.register')}
          </Button>{' '}
          {isChanged && t('devices.saveFirst')}
        </div>
      )}
    </>
  );
}
