import { ActionIcon, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { named, t } from '../texts/t.ts';
import { Icon } from '../ui/icon.tsx';
import classes from '../ui/small-fields.module.css';
import type { TaxValues } from './tax-values.ts';

interface TaxFieldsProps {
  label: string;
  tax: TaxValues;
  errorOf: (field: string) => string | undefined;
  change: (to: Partial<TaxValues>) => void;
  remove: () => void;
}

const codes = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
const codeOptions = () => [
  { value: '', label: t('form.codeByRate') },
  ...codes.map((value) => ({ value, label: named('taxCode', value) })),
];

/** One tax of a line, whole. */
export function TaxFields({ label, tax, errorOf, change, remove }: TaxFieldsProps) {
  const text = (name: 'category' | 'rate' | 'exemption_reason' | 'surcharge') => ({
    size: 'xs' as const,
    label: t(`form.${name}`),
    value: tax[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes['fields']} role="group" aria-label={label}>
      <TextInput {...text('category')} />
      <TextInput inputMode="decimal" {...text('rate')} />
      <NativeSelect
        size="xs"
        label={t('form.code')}
        data={codeOptions()}
        value={tax.code}
        error={errorOf('code')}
        onChange={(event) => change({ code: event.currentTarget.value })}
      />
      <TextInput {...text('exemption_reason')} />
      <TextInput inputMode="decimal" {...text('surcharge')} />
      <Checkbox
        size="xs"
        label={t('form.retained')}
        checked={tax.retained}
        onChange={(event) => change({ retained: event.currentTarget.checked })}
      />
      <ActionIcon variant="subtle" color="gray" aria-label={t('form.remove', { name: label })} onClick={remove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </div>
  );
}
