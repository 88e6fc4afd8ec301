import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '../../texts/t.ts';
import { changedFields } from '../../ui/change.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
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
    <FormPanel title={t('profile.person')} saving={saving} onSubmit={form.onSubmit(saving.run)} canWrite>
      <TextInput maw={420} label={t('name.label')} autoComplete="name" {...form.getInputProps('name')} />
      <TextInput required maw={420} type="email" label={t('email.label')} autoComplete="email" {...form.getInputProps('email')} />
    </FormPanel>
  );
}
