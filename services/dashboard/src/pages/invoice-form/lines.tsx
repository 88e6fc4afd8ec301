import { Button } from '@mantine/core';
import { type Dispatch, type KeyboardEvent, memo, useMemo } from 'react';
import { flushSync } from 'react-dom';
import type { Decimal } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { LineErrors } from './errors.ts';
import { Line } from './line.tsx';
import classes from './lines.module.css';
import { useProducts } from './product-source.ts';
import type { Change } from './state.ts';
import { type LineValues, MOST_LINES } from './values.ts';

interface LinesProps {
  lines: readonly LineValues[];
  dispatch: Dispatch<Change>;
  errors: ReadonlyMap<number, LineErrors>;
  /** Net amounts by the key of the line. */
  amounts: ReadonlyMap<number, Decimal>;
  currency: string;
  /** The issuer's tax rate, in percent. */
  defaultRate: Decimal | null;
  /** A message about all of them. */
  error?: string | undefined;
}

/** The lines of an invoice. Enter goes to the next line, and makes one after the last. */
export const Lines = memo(function Lines({ lines, dispatch, errors, amounts, currency, defaultRate, error }: LinesProps) {
  const products = useProducts();
  const isFull = lines.length >= MOST_LINES;
  const tools = useMemo(() => ({ products, currency, defaultRate }), [products, currency, defaultRate]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const line = event.target.closest('[data-line]');
    if (!line?.nextElementSibling && isFull) return;
    if (!line?.nextElementSibling) flushSync(() => dispatch({ change: 'add' }));
    line?.nextElementSibling?.querySelector('input')?.focus();
  };
  return (
    <Panel title={t('form.lines')} about={error && <span role="alert">{error}</span>} flush>
      <div className={`${classes['row']} ${classes['head']}`} aria-hidden>
        <span />
        <span>{t('items.what')}</span>
        <span className={classes['end']}>{t('items.quantity')}</span>
        <span className={classes['end']}>{t('items.price')}</span>
        <span className={classes['end']}>{t('form.tax')}</span>
        <span className={classes['end']}>{t('items.amount', { currency })}</span>
        <span />
      </div>
      <div onKeyDown={onKeyDown}>
        {lines.map((line, n) => (
          <Line
            key={line.key}
            line={line}
            n={n + 1}
            dispatch={dispatch}
            tools={tools}
            errors={errors.get(line.key)}
            amount={amounts.get(line.key)}
          />
        ))}
      </div>
      <div className={classes['add']}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          disabled={isFull}
          onClick={() => dispatch({ change: 'add' })}
        >
          {t('form.addLine')}
        </Button>
        <span className={classes['hint']}>{isFull ? t('form.mostLines', { count: MOST_LINES }) : t('form.linesHint')}</span>
      </div>
    </Panel>
  );
});
