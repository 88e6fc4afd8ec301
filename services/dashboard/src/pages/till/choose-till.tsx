import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../../api/consoles.ts';
import { refreshSession } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Columns } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';

/** Asks once a session which till this is. A business without units goes on without. */
export function ChooseTill({ without }: { without: () => void }) {
  const form = useForm({ initialValues: { unit: '', device: '' } });
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
          <TextInput required autoFocus label={t('fact.unit')} {...form.getInputProps('unit')} />
          <TextInput required label={t('fact.device')} {...form.getInputProps('device')} />
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
