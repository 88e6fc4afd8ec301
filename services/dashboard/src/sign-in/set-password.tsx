import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../api/consoles.ts';
import type { Me } from '../session/session.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { Fields } from '../ui/fields.tsx';
import { useSaving } from '../ui/saving.ts';
import { StepTitle } from './frame.tsx';
import { SignOut } from './sign-out.tsx';

/** The first password of a user, or the one after a reset. */
export function SetPassword({ me, next }: { me: Me; next: () => Promise<void> }) {
  const form = useForm({ initialValues: { name: me.user.name ?? '', password: { new: '' } } });
  const saving = useSaving({
    run: ({ name, password }: { name: string; password: { new: string } }) =>
      answered(general.PATCH('/console/me', { body: { ...(name.trim() && { name }), password } })),
    done: () => next(),
    form: { setErrors: form.setErrors, fields: ['name', 'password.new'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      <StepTitle title={t('setPassword.title')}>{t('setPassword.about', { email: me.user.email })}</StepTitle>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        {/* So that a password manager keeps the new password under it. */}
        <input type="hidden" autoComplete="username" value={me.user.email} readOnly />
        <TextInput autoFocus label={t('name.label')} autoComplete="name" {...form.getInputProps('name')} />
        <PasswordInput
          required
          label={t('password.new')}
          description={t('password.rule')}
          autoComplete="new-password"
          {...form.getInputProps('password.new')}
        />
        <Button type="submit" size="md" fullWidth loading={saving.isRunning}>
          {t('setPassword.button')}
        </Button>
        <SignOut />
      </Fields>
    </form>
  );
}
