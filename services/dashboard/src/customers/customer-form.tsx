import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Intent, Once } from '../api/intent.ts';
import { named, t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { Columns, Fields } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { useSaving } from '../ui/saving.ts';
import { addressFields, customerKinds, type CustomerValues, taxIdKinds } from './customer-values.ts';

interface CustomerFormProps<Saved> {
  initial: CustomerValues;
  save: (values: CustomerValues, once: Once) => Promise<Saved>;
  /** What the page shows then. */
  done: (saved: Saved) => unknown;
  /** Of a new one: it outlives the dialog. */
  intent?: Intent | undefined;
  button: string;
  cancel: () => void;
}

const fields = [
  'name',
  'email',
  'phone',
  'tax_id',
  'tax_id_kind',
  'kind',
  'language',
  ...addressFields.map((name) => `address.${name}`),
  'address',
];

const choices = (prefix: string, values: readonly string[]) => [
  { value: '', label: t('customer.notSaid') },
  ...values.map((value) => ({ value, label: named(prefix, value) })),
];

/** Who a customer is and where, of a new one and of one that is changed. */
export function CustomerForm<Saved>({ initial, save, done, intent, button, cancel }: CustomerFormProps<Saved>) {
  const form = useForm({ initialValues: initial });
  const setErrors = (errors: Record<string, string>): void =>
    form.setErrors(
      Object.fromEntries(
        Object.entries(errors).map(([name, text]) => [name === 'address' ? 'country' : name.replace('address.', ''), text]),
      ),
    );
  const saving = useSaving({ run: save, done, intent, form: { setErrors, setValues: form.setValues, fields } });
  const field = (name: keyof CustomerValues) => ({ label: t(`customer.${name}`), ...form.getInputProps(name) });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        // A form in a form: the outer one is not sent.
        event.stopPropagation();
        form.onSubmit(saving.run)(event);
      }}
    >
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput required data-autofocus maxLength={255} {...field('name')} />
        <Columns>
          <TextInput maxLength={255} description={t('customer.taxIdAbout')} {...field('tax_id')} />
          <TextInput type="email" maxLength={255} description={t('customer.emailAbout')} {...field('email')} />
        </Columns>
        <Columns>
          <NativeSelect data={choices('customer.taxIdKind', taxIdKinds)} {...field('tax_id_kind')} />
          <NativeSelect data={choices('customer.kind', customerKinds)} {...field('kind')} />
        </Columns>
        <TextInput maxLength={255} {...field('line1')} />
        <TextInput maxLength={255} {...field('line2')} />
        <Columns>
          <TextInput maxLength={255} {...field('postal_code')} />
          <TextInput maxLength={255} {...field('city')} />
        </Columns>
        <Columns>
          <TextInput maxLength={255} {...field('region')} />
          <TextInput maxLength={2} description={t('customer.countryAbout')} {...field('country')} />
        </Columns>
        <Columns>
          <TextInput maxLength={255} {...field('phone')} />
          <TextInput maxLength={35} description={t('customer.languageAbout')} {...field('language')} />
        </Columns>
      </Fields>
      <FormButtons cancel={cancel} saving={saving} button={button} />
    </form>
  );
}
