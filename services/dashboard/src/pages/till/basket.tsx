import { TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import type { Resource } from '../../api/types.ts';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { decimalsOf, showMoney } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { Panel } from '../../ui/panel.tsx';
import { Suggest } from '../../ui/suggest.tsx';
import classes from './basket.module.css';
import { BasketRow } from './basket-row.tsx';
import { type BasketLine, currenciesOf, decimalOf, type Method, sumOf, withProduct, withText } from './lines.ts';
import { Pay } from './pay.tsx';
import { ProductKeys } from './product-keys.tsx';
import { priceOf, useSellable } from './sellable.ts';

interface BasketProps {
  lines: readonly BasketLine[];
  onChange: (lines: BasketLine[]) => void;
  pay: (method: Method) => void;
  isPaying: boolean;
  /** True while another receipt is not answered yet. */
  isClosed: boolean;
}

type Found = Resource<'Product'> | { id: 'text'; name: string };

/** What is sold: typed and taken by Enter, or pressed. */
export function Basket({ lines, onChange, pay, isPaying, isClosed }: BasketProps) {
  const { key, read } = useSellable();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const source = useMemo(
    () => ({
      key,
      read: async (q: string, signal: AbortSignal): Promise<readonly Found[]> =>
        q === '' ? [] : [...(await read(q, signal)), { id: 'text' as const, name: q }],
    }),
    [key, read],
  );
  const add = (row: Found): void => {
    setText('');
    onChange('object' in row ? withProduct(lines, row) : withText(lines, row.name));
    field.current?.focus();
  };
  const { data: issuer } = useIssuerBasics();
  const { isPayable, text: sum } = shownSum(lines, issuer);
  // What is typed is wanted, too: a receipt without it is not what the customer has to pay.
  const isTyping = text.trim() !== '';
  const canPay = lines.length > 0 && isPayable && !isTyping && !isClosed;
  return (
    <div
      className={classes['till']}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canPay) pay('cash');
      }}
    >
      <Panel title={t('till.basket')} about={t('till.prices')} flush>
        <div className={classes['field']}>
          <Suggest
            label={t('till.what')}
            value={text}
            onChange={setText}
            choose={add}
            source={source}
            optionOf={(row) => optionOf(row, issuer?.currency)}
            opens="typed"
            input={(props) => (
              <TextInput
                {...props}
                ref={field}
                autoFocus
                size="md"
                label={t('till.what')}
                placeholder={t('till.whatHint')}
                disabled={isClosed}
              />
            )}
          />
        </div>
        {lines.length === 0 && <p className={classes['empty']}>{t('till.empty')}</p>}
        <ul>
          {lines.map((line) => (
            <BasketRow
              key={line.key}
              line={line}
              isClosed={isClosed}
              change={(to) => onChange(lines.map((one) => (one === line ? { ...one, ...to } : one)))}
              remove={() => onChange(lines.filter((one) => one !== line))}
            />
          ))}
        </ul>
        <p className={classes['sum']}>
          {t('till.sum')} <output>{sum}</output>
        </p>
        <Pay hint={t(isTyping ? 'till.notTaken' : 'till.keys')} canPay={canPay} isPaying={isPaying} pay={pay} />
      </Panel>
      <ProductKeys press={add} isClosed={isClosed} />
    </div>
  );
}

/** What is to be paid, without any price in a currency in that of the issuer; else why it cannot be: currencies are never added up. */
function shownSum(lines: readonly BasketLine[], issuer: Resource<'IssuerBasics'> | undefined): { isPayable: boolean; text: string } {
  const [currency = issuer?.currency, ...others] = currenciesOf(lines);
  if (currency !== undefined && others.length > 0)
    return { isPayable: false, text: t('till.currencies', { currencies: [currency, ...others].join(', ') }) };
  const decimals = currency === undefined ? 2 : decimalsOf(currency);
  const sum = sumOf(lines, { decimals, rounding: issuer?.rounding ?? 'line' });
  if (sum === null) return { isPayable: false, text: t('till.noSum') };
  const amount = decimalOf(sum, decimals);
  return { isPayable: true, text: currency === undefined ? amount : showMoney(amount, currency) };
}

const optionOf = (row: Found, ofIssuer: string | undefined) =>
  'object' in row
    ? { id: row.id, title: row.name, about: priceOf(row, ofIssuer) }
    : { id: 'text', title: t('till.text', { text: row.name }) };
