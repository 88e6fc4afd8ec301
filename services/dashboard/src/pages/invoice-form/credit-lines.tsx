import { Checkbox } from '@mantine/core';
import type { Invoice } from '../../documents/documents.ts';
import { type Decimal, showAmount, showPrice, showQuantity } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { Panel } from '../../ui/panel.tsx';
import { Cell } from './cell.tsx';
import type { Chosen } from './credit.ts';
import classes from './credit-lines.module.css';
import type { LineErrors } from './errors.ts';

interface CreditLinesProps {
  invoice: Invoice;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
  errors: ReadonlyMap<number, LineErrors>;
}

/** The lines of the invoice, each with what is credited of it. */
export function CreditLines({ invoice: { currency, items }, chosen, onChange, errors }: CreditLinesProps) {
  const isAll = items.every((_, n) => chosen[n] !== undefined);
  const all = (): Chosen => Object.fromEntries(items.map(({ quantity }, n) => [n, quantity]));
  const toggle = (n: number, quantity: Decimal): void => {
    const { [n]: before, ...others } = chosen;
    onChange(before === undefined ? { ...chosen, [n]: quantity } : others);
  };
  return (
    <Panel
      title={t('form.lines')}
      flush
      actions={<Checkbox size="xs" label={t('credit.all')} checked={isAll} onChange={() => onChange(isAll ? {} : all())} />}
    >
      <ul>
        {items.map((item, n) => (
          <li key={n} className={classes['line']}>
            <Checkbox
              size="xs"
              className={classes['what']}
              label={item.description ?? t('form.line', { n: n + 1 })}
              description={t('credit.of', {
                quantity: showQuantity(item.quantity),
                price: showPrice(item.unit_price, currency),
                amount: showAmount(item.amount, currency),
              })}
              checked={chosen[n] !== undefined}
              onChange={() => toggle(n, item.quantity)}
            />
            {chosen[n] !== undefined && (
              <div className={classes['quantity']}>
                <Cell
                  align="end"
                  inputMode="decimal"
                  label={t('form.ofLine', { n: n + 1, name: t('credit.quantity') })}
                  value={chosen[n]}
                  error={Object.values(errors.get(n) ?? {})[0]}
                  onChange={(event) => onChange({ ...chosen, [n]: event.currentTarget.value })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
