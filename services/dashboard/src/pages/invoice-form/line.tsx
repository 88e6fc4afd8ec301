import { ActionIcon } from '@mantine/core';
import { type Dispatch, memo, useState } from 'react';
import { showUnclear } from '../../format/decimals.ts';
import { type Decimal, showAmount } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { plainTax } from '../../taxes/tax-values.ts';
import { Icon } from '../../ui/icon.tsx';
import { Cell } from './cell.tsx';
import { Description } from './description.tsx';
import { type LineErrors, messageAt } from './errors.ts';
import { LineMore } from './line-more.tsx';
import classes from './lines.module.css';
import type { LineTools } from './product-source.ts';
import type { Change } from './state.ts';
import type { LineValues } from './values.ts';

interface LineProps {
  line: LineValues;
  /** Its place, from 1. */
  n: number;
  dispatch: Dispatch<Change>;
  tools: LineTools;
  errors: LineErrors | undefined;
  amount: Decimal | undefined;
}

const inMore = ['unit', 'discounts', 'charges'] as const;

/** One line: what, how many, for how much. The rest is behind its button, which opens by itself where a message is about it. */
export const Line = memo(function Line({ line, n, dispatch, tools, errors, amount }: LineProps) {
  const [isOpen, setOpen] = useState(false);
  const { currency, defaultRate } = tools;
  const change = (to: Partial<LineValues>): void => dispatch({ change: 'line', key: line.key, to });
  const label = (name: string): string => t('form.ofLine', { n, name });
  const taxError = messageAt(errors, 'taxes', 'tax_rate');
  const isShown = isOpen || messageAt(errors, ...inMore) !== undefined || (taxError !== undefined && !hasOneRate(line));
  return (
    <div className={classes['line']} data-line role="group" aria-label={t('form.line', { n })}>
      <div className={classes['row']}>
        <span className={classes['n']} aria-hidden>
          {n}
        </span>
        <div className={classes['what']}>
          <Description
            line={line}
            label={label(t('items.what'))}
            tools={tools}
            error={messageAt(errors, 'description', 'product_id')}
            change={change}
          />
        </div>
        <div>
          <Small text={t('items.quantity')} />
          <Cell
            align="end"
            inputMode="decimal"
            label={label(t('items.quantity'))}
            value={line.quantity}
            error={messageAt(errors, 'quantity')}
            hint={showUnclear(line.quantity)}
            onChange={(event) => change({ quantity: event.currentTarget.value })}
          />
        </div>
        <div>
          <Small text={t('items.price')} />
          <Cell
            align="end"
            inputMode="decimal"
            label={label(t('items.price'))}
            value={line.unit_price}
            error={messageAt(errors, 'unit_price')}
            hint={showUnclear(line.unit_price)}
            onChange={(event) => change({ unit_price: event.currentTarget.value })}
          />
        </div>
        <div>
          <Small text={t('form.tax')} />
          <Cell
            align="end"
            inputMode="decimal"
            label={label(t('form.tax'))}
            value={ratesOf(line)}
            placeholder={defaultRate ?? undefined}
            readOnly={!hasOneRate(line)}
            error={taxError}
            onChange={(event) => change({ taxes: withRate(line, event.currentTarget.value) })}
          />
        </div>
        <div className={classes['amount']}>
          <Small text={t('form.net')} />
          {amount === undefined ? '—' : showAmount(amount, currency)}
        </div>
        <div className={classes['buttons']}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={label(t('form.more'))}
            aria-expanded={isShown}
            onClick={() => setOpen(!isShown)}
          >
            <Icon name="dots" size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('form.removeLine', { n })}
            onClick={() => dispatch({ change: 'remove', key: line.key })}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </div>
      </div>
      {isShown && <LineMore line={line} n={n} defaultRate={defaultRate} errors={errors} change={change} />}
    </div>
  );
});

/** What a narrow window shows instead of the head of the table. Each field has its name besides. */
const Small = ({ text }: { text: string }) => (
  <span className={classes['small']} aria-hidden>
    {text}
  </span>
);

const hasOneRate = ({ taxes }: LineValues): boolean => taxes === null || taxes.length === 1;

const ratesOf = ({ taxes }: LineValues): string =>
  taxes === null ? '' : taxes.length === 0 ? t('form.untaxed') : taxes.map(({ rate }) => rate).join(' + ');

/** The code follows from a rate that is typed; an empty one is the issuer's default. */
const withRate = ({ taxes }: LineValues, rate: string): LineValues['taxes'] =>
  rate === '' ? null : [{ ...(taxes?.[0] ?? plainTax(rate)), rate, code: '' }];
