import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from '../../ui/small-fields.module.css';
import type { AdjustmentValues } from './values.ts';

interface AdjustmentsProps {
  /** What one of them is, such as "Discount of line 2". */
  name: string;
  values: readonly AdjustmentValues[];
  /** The message of one, by its place. */
  errorOf: (at: number) => string | undefined;
  onChange: (values: AdjustmentValues[]) => void;
}

const none: AdjustmentValues = { kind: 'percent', value: '', reason: '', taxes: null };

/** Discounts or charges, of a line or of the whole. */
export function Adjustments({ name, values, errorOf, onChange }: AdjustmentsProps) {
  const change = (at: number, to: Partial<AdjustmentValues>): void =>
    onChange(values.map((one, other) => (other === at ? { ...one, ...to } : one)));
  return (
    <div className={classes['group']}>
      {values.map((one, at) => (
        <div key={at} className={classes['fields']} role="group" aria-label={`${name} ${at + 1}`}>
          <TextInput
            size="xs"
            inputMode="decimal"
            label={name}
            value={one.value}
            error={errorOf(at)}
            onChange={(event) => change(at, { value: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            label={t('form.as')}
            data={(['percent', 'amount'] as const).map((value) => ({ value, label: t(`form.as.${value}`) }))}
            value={one.kind}
            onChange={(event) => change(at, { kind: event.currentTarget.value as AdjustmentValues['kind'] })}
          />
          <TextInput
            size="xs"
            label={t('form.reason')}
            maxLength={255}
            value={one.reason}
            onChange={(event) => change(at, { reason: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('form.remove', { name: `${name} ${at + 1}` })}
            onClick={() => onChange(values.filter((_, other) => other !== at))}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => onChange([...values, none])}
        >
          {name}
        </Button>
      </div>
    </div>
  );
}
