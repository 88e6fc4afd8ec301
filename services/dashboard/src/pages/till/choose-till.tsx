import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useIssuer } from '../../documents/issuer.ts';
import { refreshSession } from '../../session/session.ts';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Columns } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';

/** Asks once a session which till this is: of those that the issuer has, or by their codes for who may not read them. A business without units goes on without. */
export function ChooseTill({ without }: { without: () => void }) {
  const { issuer, isRead } = useIssuer();
  return isRead ? <TillForm units={issuer?.units ?? []} without={without} /> : <PageSkeleton />;
}

function TillForm({ units, without }: { units: readonly Resource<'Unit'>[]; without: () => void }) {
  const [first] = units;
  const form = useForm({ initialValues: { unit: first?.code ?? '', device: first?.devices?.[0] ?? '' } });
  const devices = units.find(({ code }) => code === form.values.unit)?.devices ?? [];
  const chooseUnit = (code: string): void => {
    form.setValues({ unit: code, device: units.find((unit) => unit.code === code)?.devices?.[0] ?? '' });
  };
  const saving = useSaving({
    run: (body: { unit: string; device: string }) => answered(general.PUT('/console/session/till', { body })),
    done: refreshSession,
    form: { setErrors: form.setErrors, fields: ['unit', 'device'] },
  });
  return (
    <Panel title={t('till.which')} about={t('till.whichAbout')}>
      <form onSubmit={form.onSubmit(saving.run)}>
        {saving.error && <Failure error={saving.error} />}
        <Columns>
          {first ? (
            <NativeSelect
              autoFocus
              label={t('fact.unit')}
              data={units.map(({ code }) => code)}
              value={form.values.unit}
              error={form.errors['unit']}
              onChange={(event) => chooseUnit(event.currentTarget.value)}
            />
          ) : (
            <TextInput required autoFocus label={t('fact.unit')} {...form.getInputProps('unit')} />
          )}
          {devices.length > 0 ? (
            <NativeSelect label={t('fact.device')} data={devices} {...form.getInputProps('device')} />
          ) : (
            <TextInput required label={t('fact.device')} {...form.getInputProps('device')} />
          )}
        </Columns>
        <Actions>
          <Button variant="default" onClick={without}>
            {t('till.without')}
          </Button>
          <Button type="submit" loading={saving.isRunning}>
            {t('till.begin')}
          </Button>
        </Actions>
      </form>
    </Panel>
  );
}
