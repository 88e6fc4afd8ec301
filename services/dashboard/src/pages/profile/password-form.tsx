import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Saved } from '../../ui/saved.tsx';
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
    <Panel title={t('password.label')} about={t('profile.passwordAbout')}>
      <form onSubmit={form.onSubmit(saving.run)}>
        {saving.error && <Failure error={saving.error} />}
        <Fields>
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
        </Fields>
        <Actions>
          <Saved saving={saving} />
          <Button type="submit" loading={saving.isRunning}>
            {t('profile.changePassword')}
          </Button>
        </Actions>
      </form>
    </Panel>
  );
}
