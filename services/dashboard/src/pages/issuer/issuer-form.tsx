import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Columns } from '../../ui/fields.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Issuer, useIssuerForm } from './issuer.ts';
import { fieldsOfIssuer, shownErrors } from './issuer-errors.ts';
import { changesOf, type IssuerValues, regimesOf, valuesOf } from './issuer-values.ts';

/** Who issues: name, tax id, address, and what documents take from it. */
export function IssuerForm({ issuer }: { issuer: Issuer }) {
  const canWrite = useCan()('settings:write');
  const { initial, save, shown } = useIssuerForm<IssuerValues>(issuer, { valuesOf, changesOf });
  const form = useForm<IssuerValues>({ initialValues: initial });
  const saving = useSaving({
    run: save,
    done: (saved, sent) => form.setValues((typed) => shown(saved, sent, typed as IssuerValues)),
    form: {
      setErrors: (errors) => form.setErrors(shownErrors(errors)),
      setValues: form.setValues,
      fields: fieldsOfIssuer,
    },
  });
  const field = (name: Exclude<keyof IssuerValues, 'vat_registered'>) => ({ label: named('issuer', name), ...form.getInputProps(name) });
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
      <TextInput maxLength={40} description={t('issuer.softwareAbout')} {...field('software_code')} />
      {issuer.authority === 'es-verifactu' && (
        <>
          <TextInput maxLength={100} description={t('issuer.installationAbout')} {...field('installation')} />
          <NativeSelect
            data={regimesOf(issuer).map((value) => ({ value, label: named('issuer.regime', value) }))}
            description={t('issuer.regimeAbout')}
            {...field('tax_regime')}
          />
        </>
      )}
      <Switch label={t('issuer.vat_registered')} {...form.getInputProps('vat_registered', { type: 'checkbox' })} />
    </FormPanel>
  );
}
