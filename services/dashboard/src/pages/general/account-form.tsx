import { Button, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { general } from '../../api/consoles.ts';
import { sessionQuery, useMe } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Saved } from '../../ui/saved.tsx';
import { useSaving } from '../../ui/saving.ts';

interface Values {
  name: string;
  require_totp: boolean;
}

export function AccountForm() {
  const { account } = useMe();
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: { name: account.name, require_totp: account.require_totp } });
  const saving = useSaving({
    run: ({ name, require_totp }: Values) => {
      // Only what changes: two factors need the password again.
      const body = { ...(name !== account.name && { name }), ...(require_totp !== account.require_totp && { require_totp }) };
      return answered(general.PATCH('/console/account', { body }));
    },
    done: () => queries.invalidateQueries(sessionQuery),
    form: { setErrors: form.setErrors, fields: ['name', 'require_totp'] },
  });
  return (
    <Panel title={t('general.account')}>
      <form onSubmit={form.onSubmit(saving.run)}>
        {saving.error && <Failure error={saving.error} />}
        <Fields>
          <TextInput required maw={420} label={t('name.label')} {...form.getInputProps('name')} />
          <Switch
            label={t('general.totp')}
            description={t('general.totpAbout')}
            {...form.getInputProps('require_totp', { type: 'checkbox' })}
          />
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
