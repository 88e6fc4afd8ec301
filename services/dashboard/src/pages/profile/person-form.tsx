import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { changedFields } from '../../ui/change.ts';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Saved } from '../../ui/saved.tsx';
import { useSaving } from '../../ui/saving.ts';
import { changeMe, type User } from './me.ts';

export function PersonForm({ user }: { user: User }) {
  const form = useForm({ initialValues: { name: user.name ?? '', email: user.email } });
  const saving = useSaving({
    run: ({ name, email }: { name: string; email: string }) =>
      changeMe(changedFields(form.getInitialValues(), { name: name.trim(), email })),
    done: (_, values) => form.setInitialValues(values),
    form: { setErrors: form.setErrors, fields: ['name', 'email'] },
  });
  return (
    <Panel title={t('profile.person')}>
      <form onSubmit={form.onSubmit(saving.run)}>
        {saving.error && <Failure error={saving.error} />}
        <Fields>
          <TextInput maw={420} label={t('name.label')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput required maw={420} type="email" label={t('email.label')} autoComplete="email" {...form.getInputProps('email')} />
        </Fields>
        <Actions>
          <Saved saving={saving} />
          <Button type="submit" loading={saving.isRunning}>
            {t('action.save')}
          </Button>
        </Actions>
      </form>
    </Panel>
  );
}
