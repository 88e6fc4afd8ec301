import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '../../texts/t.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { changeMe, type User } from './me.ts';

interface Values {
  password: { current: string; new: string };
}

export function PasswordForm({ user }: { user: User }) {
  const form = useForm<Values>({ initialValues: { password: { current: '', new: '' } } });
  const saving = useSaving({
    run: (values: Values) => changeMe(values),
    done: () => form.reset(),
    form: { setErrors: form.setErrors, fields: ['password.current', 'password.new'] },
  });
  return (
    <FormPanel
      title={t('password.label')}
      about={t('profile.passwordAbout')}
      saving={saving}
      onSubmit={form.onSubmit(saving.run)}
      button={t('profile.changePassword')}
      canWrite
    >
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      <PasswordInput
        required
        maw={420}
        label={t('profile.current')}
        autoComplete="current-password"
        {...form.getInputProps('password.current')}
      />
      <PasswordInput
        required
        maw={420}
        label={t('password.new')}
        description={t('password.rule')}
        autoComplete="new-password"
        {...form.getInputProps('password.new')}
      />
    </FormPanel>
  );
}
