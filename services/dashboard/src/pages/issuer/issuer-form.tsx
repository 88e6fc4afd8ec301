import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { changedFields } from '../../ui/change.ts';
import { Columns } from '../../ui/fields.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Issuer, type IssuerChange, orNull, useIssuerForm } from './issuer.ts';

const address = ['line1', 'line2', 'postal_code', 'city', 'region'] as const;
const texts = ['legal_name', 'trade_name', 'tax_id', 'country', 'currency', 'time_zone', 'language', 'default_tax_rate'] as const;
type Values = Record<(typeof texts)[number] | (typeof address)[number] | 'rounding' | 'prices', string> & { vat_registered: boolean };

const textsOf = <Name extends string>(names: readonly Name[], read: (name: Name) => unknown) =>
  Object.fromEntries(names.map((name) => [name, String(read(name) ?? '')])) as Record<Name, string>;

const valuesOf = (issuer: Issuer): Values => ({
  ...textsOf(texts, (name) => issuer[name]),
  ...textsOf(address, (name) => issuer.address?.[name]),
  ...{ rounding: issuer.rounding, prices: String(issuer.prices_include_tax), vat_registered: issuer.vat_registered },
});

const sentOf = (values: Values): IssuerChange => ({
  ...{ legal_name: orNull(values.legal_name), trade_name: orNull(values.trade_name), tax_id: orNull(values.tax_id) },
  ...{ country: orNull(values.country), vat_registered: values.vat_registered, default_tax_rate: orNull(values.default_tax_rate) },
  ...{ currency: values.currency.trim(), time_zone: values.time_zone.trim(), prices_include_tax: values.prices === 'true' },
  ...(values.language.trim() && { language: values.language.trim() }),
  rounding: values.rounding as 'line',
  address: { ...Object.fromEntries(address.map((name) => [name, orNull(values[name])])), country: orNull(values.country) },
});

const changesOf = (before: Values, now: Values): IssuerChange => changedFields(sentOf(before), sentOf(now));

/** Who issues: name, tax id, address, and what documents take from it. */
export function IssuerForm({ issuer }: { issuer: Issuer }) {
  const canWrite = useCan()('settings:write');
  const { initial, save } = useIssuerForm<Values>(issuer, { valuesOf, changesOf });
  const form = useForm<Values>({ initialValues: initial });
  const setErrors = ({ prices_include_tax: prices, ...errors }: Record<string, string>): void => {
    const own = Object.entries(errors).map(([name, text]) => [name === 'address' ? 'line1' : name.replace('address.', ''), text]);
    form.setErrors({ ...Object.fromEntries(own), ...(prices && { prices }) });
  };
  const saving = useSaving({
    run: save,
    form: {
      setErrors,
      setValues: form.setValues,
      fields: [...texts, 'rounding', 'prices_include_tax', 'vat_registered', ...address.map((name) => `address.${name}`), 'address'],
    },
  });
  const field = (name: Exclude<keyof Values, 'vat_registered'>) => ({ label: named('issuer', name), ...form.getInputProps(name) });
  return (
    <FormPanel
      title={t('issuer.who')}
      about={t('issuer.whoAbout')}
      saving={saving}
      onSubmit={form.onSubmit(saving.run)}
      canWrite={canWrite}
    >
      <Columns>
        <TextInput maxLength={255} {...field('legal_name')} />
        <TextInput maxLength={255} {...field('trade_name')} />
      </Columns>
      <Columns>
        <TextInput maxLength={255} {...field('tax_id')} />
        <TextInput maxLength={2} description={t('customer.countryAbout')} {...field('country')} />
      </Columns>
      <Columns>
        <TextInput maxLength={255} {...field('line1')} />
        <TextInput maxLength={255} {...field('line2')} />
      </Columns>
      <Columns>
        <TextInput maxLength={255} {...field('postal_code')} />
        <TextInput maxLength={255} {...field('city')} />
        <TextInput maxLength={255} {...field('region')} />
      </Columns>
      <Columns>
        <TextInput maxLength={3} {...field('currency')} />
        <TextInput inputMode="decimal" {...field('default_tax_rate')} />
        <TextInput {...field('time_zone')} />
        <TextInput maxLength={35} {...field('language')} />
      </Columns>
      <Columns>
        <NativeSelect data={['false', 'true'].map((value) => ({ value, label: named('form.prices', value) }))} {...field('prices')} />
        <NativeSelect
          data={(['line', 'precise'] as const).map((value) => ({ value, label: t(`form.rounding.${value}`) }))}
          {...field('rounding')}
        />
      </Columns>
      <Switch label={t('issuer.vat_registered')} {...form.getInputProps('vat_registered', { type: 'checkbox' })} />
    </FormPanel>
  );
}
