import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../api/consoles.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { Fields } from '../ui/fields.tsx';
import { useSaving } from '../ui/saving.ts';
import { StepTitle } from './frame.tsx';
import { SignOut } from './sign-out.tsx';

/** The second factor of a sign-in. */
export function EnterCode({ next }: { next: () => Promise<void> }) {
  const form = useForm({ initialValues: { code: '' } });
  const saving = useSaving({
    run: (body: { code: string }) => answered(general.POST('/console/session/step-up', { body })),
    done: () => next(),
    form: { setErrors: form.setErrors, fields: ['code'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      <StepTitle title={t('code.title')}>{t('code.about')}</StepTitle>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput required autoFocus label={t('code.label')} autoComplete="one-time-code" {...form.getInputProps('code')} />
        <Button type="submit" size="md" fullWidth loading={saving.isRunning}>
          {t('action.continue')}
        </Button>
        <SignOut />
      </Fields>
    </form>
  );
}
