import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { general } from '../../api/consoles.ts';
import { refreshSession, useMe } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { changedFields } from '../../ui/change.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';

interface Values {
  name: string;
  require_totp: boolean;
}

export function AccountForm() {
  const { account } = useMe();
  const form = useForm<Values>({ initialValues: { name: account.name, require_totp: account.require_totp } });
  const saving = useSaving({
    // Only what changes: two factors need the password again.
    run: (values: Values) => answered(general.PATCH('/console/account', { body: changedFields(form.getInitialValues(), values) })),
    done: (_, values) => {
      form.setInitialValues(values);
      return refreshSession();
    },
    form: { setErrors: form.setErrors, fields: ['name', 'require_totp'] },
  });
  return (
    <FormPanel title={t('general.account')} saving={saving} onSubmit={form.onSubmit(saving.run)} canWrite>
      <TextInput required maw={420} label={t('name.label')} {...form.getInputProps('name')} />
      <Switch
        label={t('general.totp')}
        description={t('general.totpAbout')}
        {...form.getInputProps('require_totp', { type: 'checkbox' })}
      />
    </FormPanel>
  );
}
