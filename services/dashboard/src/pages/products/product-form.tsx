import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Intent, Once } from '../../api/intent.ts';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { showUnclear } from '../../format/decimals.ts';
import { TaxFields } from '../../taxes/tax-fields.tsx';
import { withOneMore } from '../../taxes/tax-values.ts';
import { named, t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Columns, Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSaving } from '../../ui/saving.ts';
import type { ProductValues } from './products.ts';

interface ProductFormProps<Saved> {
  initial: ProductValues;
  save: (values: ProductValues, once: Once) => Promise<Saved>;
  /** What the page shows then. */
  done: (saved: Saved) => unknown;
  /** Of a new one: it outlives the dialog. */
  intent?: Intent | undefined;
  button: string;
  cancel: () => void;
}

const texts = ['name', 'description', 'sku', 'unit', 'unit_price', 'currency'] as const;

/** What is sold and for how much, of a new product and of one that is changed. */
export function ProductForm<Saved>({ initial, save, done, intent, button, cancel }: ProductFormProps<Saved>) {
  const form = useForm({ initialValues: initial });
  const { data: issuer } = useIssuerBasics();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const taxes = form.values.taxes ?? [];
  const taxFields = taxes.flatMap((_, n) =>
    ['category', 'rate', 'code', 'exemption_reason', 'surcharge'].map((name) => `taxes.${n}.${name}`),
  );
  const saving = useSaving({
    run: save,
    done,
    intent,
    form: {
      setErrors(found) {
        setErrors(found);
        form.setErrors(found);
      },
      setValues: form.setValues,
      fields: [...texts, ...taxFields],
    },
  });
  const field = (name: (typeof texts)[number]) => ({ label: t(`product.${name}`), ...form.getInputProps(name) });
  const setTaxes = (to: ProductValues['taxes']): void => form.setFieldValue('taxes', to);
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput required data-autofocus maxLength={255} {...field('name')} />
        <Textarea rows={2} maxLength={2_000} description={t('product.descriptionAbout')} {...field('description')} />
        <Columns>
          <TextInput
            inputMode="decimal"
            description={showUnclear(form.values.unit_price) ?? (issuer && named('product.prices', String(issuer.prices_include_tax)))}
            {...field('unit_price')}
          />
          <TextInput maxLength={3} placeholder={t('product.currencyHint')} {...field('currency')} />
        </Columns>
        <Columns>
          <TextInput maxLength={255} {...field('sku')} />
          <TextInput placeholder="C62" description={t('form.unitAbout')} {...field('unit')} />
        </Columns>
        {taxes.map((tax, at) => (
          <TaxFields
            key={at}
            label={t('form.taxOf', { n: at + 1 })}
            tax={tax}
            errorOf={(name) => errors[`taxes.${at}.${name}`]}
            change={(to) => setTaxes(taxes.map((one, other) => (other === at ? { ...one, ...to } : one)))}
            remove={() => setTaxes(taxes.length === 1 ? null : taxes.filter((_, other) => other !== at))}
          />
        ))}
        <div>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => setTaxes(withOneMore(form.values.taxes, issuer?.default_tax_rate ?? null))}
          >
            {t('form.addTax')}
          </Button>
        </div>
      </Fields>
      <FormButtons cancel={cancel} saving={saving} button={button} />
    </form>
  );
}
