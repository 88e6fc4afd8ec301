import { Checkbox } from '@mantine/core';
import { type Dispatch, memo, type SetStateAction } from 'react';
import type { Invoice } from '../../documents/documents.ts';
import { type Decimal, isZero, showAmount, showPrice, showQuantity } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { Panel } from '../../ui/panel.tsx';
import { Cell } from './cell.tsx';
import type { Chosen } from './credit.ts';
import { creditedOf } from './credited.ts';
import classes from './credit-lines.module.css';
import type { LineErrors } from './errors.ts';

interface CreditLinesProps {
  invoice: Invoice;
  /** The quantity of each line that is left to be credited. */
  left: readonly Decimal[];
  chosen: Chosen;
  onChange: Dispatch<SetStateAction<Chosen>>;
  errors: ReadonlyMap<number, LineErrors>;
}

/** The lines of the invoice, each with what is credited of it. */
export function CreditLines({ invoice, left, chosen, onChange, errors }: CreditLinesProps) {
  const { currency, items } = invoice;
  const credited = creditedOf(invoice, left);
  const open = [...left.entries()].filter(([, quantity]) => !isZero(quantity));
  const isAll = open.every(([n]) => chosen[n] !== undefined);
  const all = (): Chosen => Object.fromEntries(open);
  return (
    <Panel
      title={t('form.lines')}
      flush
      actions={<Checkbox size="xs" label={t('credit.all')} checked={isAll} onChange={() => onChange(isAll ? {} : all())} />}
    >
      <ul>
        {items.map((item, n) => (
          <Line
            key={n}
            item={item}
            n={n}
            currency={currency}
            left={left[n] ?? item.quantity}
            credited={credited[n] ?? '0'}
            quantity={chosen[n]}
            error={Object.values(errors.get(n) ?? {})[0]}
            onChange={onChange}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface LineProps extends Pick<CreditLinesProps, 'onChange'> {
  item: Invoice['items'][number];
  /** Its place, from 0. */
  n: number;
  currency: string;
  /** Of its quantity. */
  left: Decimal;
  credited: Decimal;
  /** As it is typed; undefined: nothing of the line is credited. */
  quantity: string | undefined;
  error: string | undefined;
}

const Line = memo(function Line({ item, n, currency, left, credited, quantity, error, onChange }: LineProps) {
  const isChosen = quantity !== undefined;
  const credit = (typed: string): void => onChange((chosen) => ({ ...chosen, [n]: typed }));
  const drop = (): void => onChange(({ [n]: _, ...others }) => others);
  return (
    <li className={classes['line']}>
      <Checkbox
        size="xs"
        className={classes['what']}
        label={item.description ?? t('form.line', { n: n + 1 })}
        description={t(isZero(credited) ? 'credit.of' : 'credit.ofRest', {
          quantity: showQuantity(item.quantity),
          price: showPrice(item.unit_price, currency),
          amount: showAmount(item.amount, currency),
          credited: showQuantity(credited),
        })}
        checked={isChosen}
        disabled={isZero(left)}
        onChange={() => (isChosen ? drop() : credit(left))}
      />
      {isChosen && (
        <div className={classes['quantity']}>
          <Cell
            align="end"
            inputMode="decimal"
            label={t('form.ofLine', { n: n + 1, name: t('credit.quantity') })}
            value={quantity}
            error={error}
            onChange={(event) => credit(event.currentTarget.value)}
          />
        </div>
      )}
    </li>
  );
});
