import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../api/consoles.ts';
import type { Resource } from '../api/types.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { Fields } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSaving } from '../ui/saving.ts';
import { StepTitle } from './frame.tsx';
import classes from './sign-in.module.css';

/** By e-mail and password. */
export function Begin({ hasEnded, next }: { hasEnded: boolean; next: (answer: Resource<'Session'>) => Promise<void> }) {
  const form = useForm({ initialValues: { email: '', password: '' } });
  const saving = useSaving({
    run: (body: { email: string; password: string }) => answered(general.POST('/console/session', { body })),
    done: next,
    form: { setErrors: form.setErrors, fields: ['email', 'password'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      <StepTitle title={t('signIn.title')} />
      {hasEnded && (
        <Notice tone="info" title={t('signIn.ended')}>
          {t('signIn.endedText')}
        </Notice>
      )}
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput required autoFocus type="email" label={t('email.label')} autoComplete="username" {...form.getInputProps('email')} />
        <PasswordInput required label={t('password.label')} autoComplete="current-password" {...form.getInputProps('password')} />
        <Button type="submit" size="md" fullWidth loading={saving.isRunning}>
          {t('signIn.button')}
        </Button>
        <p className={classes['hint']}>{t('signIn.forgotten')}</p>
      </Fields>
    </form>
  );
}
