import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { refreshSession } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Columns } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';

type Unit = Resource<'UnitTills'>;

/** Asks once a session which till this is, of those that the issuer has: each of `units` has a device at least. */
export function ChooseTill({ units }: { units: readonly Unit[] }) {
  const [first] = units;
  const form = useForm({ initialValues: { unit: first?.code ?? '', device: first?.devices[0] ?? '' } });
  const devicesOf = (unit: string): string[] => units.find(({ code }) => code === unit)?.devices ?? [];
  const chooseUnit = (unit: string): void => form.setValues({ unit, device: devicesOf(unit)[0] ?? '' });
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
          <NativeSelect
            autoFocus
            label={t('fact.unit')}
            data={units.map(({ code }) => code)}
            value={form.values.unit}
            error={form.errors['unit']}
            onChange={(event) => chooseUnit(event.currentTarget.value)}
          />
          <NativeSelect label={t('fact.device')} data={devicesOf(form.values.unit)} {...form.getInputProps('device')} />
        </Columns>
        <Actions>
          <Button type="submit" loading={saving.isRunning}>
            {t('till.begin')}
          </Button>
        </Actions>
      </form>
    </Panel>
  );
}
