import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Intent, Once } from '../../api/intent.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useSaving } from '../../ui/saving.ts';
import type { KeyValues } from './keys.ts';
import { Permissions } from './permissions.tsx';

const fields = ['name', 'permissions', 'expires_at', 'allowed_ips'];

interface KeyFormProps<Saved> {
  initial: KeyValues;
  /** True: the environment of the key is what it is. */
  isMade?: boolean;
  save: (values: KeyValues, once: Once) => Promise<Saved>;
  /** What the page shows then. */
  done: (saved: Saved) => unknown;
  /** Of a new one: it outlives the dialog. */
  intent?: Intent | undefined;
  button: string;
  cancel: () => void;
}

/** What a key is for and what it may do, of a new one and of one that is changed. */
export function KeyForm<Saved>({ initial, isMade, save, done, intent, button, cancel }: KeyFormProps<Saved>) {
  const can = useCan();
  const form = useForm({ initialValues: initial });
  const setErrors = ({ expires_at: ends, allowed_ips: addresses, ...rest }: Record<string, string>): void =>
    form.setErrors({ ...rest, ends, addresses });
  const saving = useSaving({ run: save, done, intent, form: { setErrors, setValues: form.setValues, fields } });
  const { livemode } = form.values;
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput
          data-autofocus
          required
          label={t('name.label')}
          description={t('keys.nameAbout')}
          maxLength={255}
          {...form.getInputProps('name')}
        />
        {!isMade && (
          <NativeSelect
            label={t('keys.env')}
            data={(['test', 'live'] as const).map((env) => ({
              value: env,
              label: t(`env.${env}Long`),
              disabled: !can('api_keys:write', env),
            }))}
            {...form.getInputProps('livemode')}
          />
        )}
        <Permissions
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
          allowed={(permission) => can(permission, livemode)}
          error={form.errors['permissions']}
        />
        <TextInput type="datetime-local" label={t('keys.ends')} description={t('keys.endsAbout')} {...form.getInputProps('ends')} />
        <Textarea rows={2} label={t('keys.addresses')} description={t('keys.addressesAbout')} {...form.getInputProps('addresses')} />
      </Fields>
      <FormButtons cancel={cancel} saving={saving} button={button} />
    </form>
  );
}
