import { Button, TextInput } from '@mantine/core';
import type { Decimal } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { TaxFields } from '../../taxes/tax-fields.tsx';
import { withOneMore } from '../../taxes/tax-values.ts';
import { Icon } from '../../ui/icon.tsx';
import { Adjustments } from './adjustments.tsx';
import { type LineErrors, messageAt } from './errors.ts';
import classes from './lines.module.css';
import { type LineValues } from './values.ts';

interface LineMoreProps {
  line: LineValues;
  n: number;
  /** The issuer's tax rate, in percent. */
  defaultRate: Decimal | null;
  errors: LineErrors | undefined;
  change: (to: Partial<LineValues>) => void;
}

/** Unit, taxes, discounts and charges of a line. */
export const LineMore = ({ line, n, defaultRate, errors, change }: LineMoreProps) => {
  const errorOf = (field: string): string | undefined => messageAt(errors, field);
  const label = (name: string): string => t('form.ofLine', { n, name });
  const taxes = line.taxes ?? [];
  return (
    <div className={classes['more']}>
      <TextInput
        size="xs"
        maw={240}
        label={label(t('form.unit'))}
        description={t('form.unitAbout')}
        placeholder="C62"
        value={line.unit}
        error={errorOf('unit')}
        onChange={(event) => change({ unit: event.currentTarget.value })}
      />
      {taxes.map((tax, at) => (
        <TaxFields
          key={at}
          label={label(t('form.taxOf', { n: at + 1 }))}
          tax={tax}
          errorOf={(field) => errorOf(`taxes.${at}.${field}`)}
          change={(to) => change({ taxes: taxes.map((one, other) => (other === at ? { ...one, ...to } : one)) })}
          remove={() => change({ taxes: taxes.filter((_, other) => other !== at) })}
        />
      ))}
      <div>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => change({ taxes: withOneMore(line.taxes, defaultRate) })}
        >
          {label(t('form.addTax'))}
        </Button>{' '}
        {line.taxes?.length === 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => change({ taxes: null })}>
            {label(t('form.defaultTax'))}
          </Button>
        )}
      </div>
      {(['discounts', 'charges'] as const).map((kind) => (
        <Adjustments
          key={kind}
          name={label(named('form.one', kind))}
          values={line[kind]}
          errorOf={(at) => errorOf(`${kind}.${at}`)}
          onChange={(values) => change({ [kind]: values })}
        />
      ))}
    </div>
  );
};
