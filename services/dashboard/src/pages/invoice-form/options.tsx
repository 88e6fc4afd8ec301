import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { memo } from 'react';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { named, t } from '../../texts/t.ts';
import { Columns, Fields } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Adjustments } from './adjustments.tsx';
import type { HeadProps } from './heading.tsx';
import classes from './options.module.css';
import type { Head } from './values.ts';

const methods = ['cash', 'card', 'check', 'transfer', 'voucher', 'other'] as const;
const roundings = ['line', 'precise'] as const;

type Text = 'currency' | 'series' | 'supply_date' | 'exchange_rate' | 'notes';
const inMore = ['currency', 'series', 'supply_date', 'exchange_rate', 'payment_method', 'prices_include_tax', 'rounding', 'unit', 'device'];

/** Discounts of the whole, notes, and what most invoices take from the issuer. */
export const Options = memo(function Options({ head, dispatch, errors, isNumbered }: HeadProps) {
  const change = (to: Partial<Head>): void => dispatch({ change: 'head', to });
  const text = (name: Text) => ({
    label: t(`form.${name}`),
    value: head[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  const errorAt = (kind: string, at: number): string | undefined =>
    Object.entries(errors).find(([name]) => name === `${kind}.${at}` || name.startsWith(`${kind}.${at}.`))?.[1];
  return (
    <Panel title={t('form.whole')}>
      <Fields>
        {(['discounts', 'charges'] as const).map((kind) => (
          <Adjustments
            key={kind}
            name={named('form.whole', kind)}
            values={head[kind]}
            errorOf={(at) => errorAt(kind, at)}
            onChange={(values) => change({ [kind]: values })}
          />
        ))}
        <Textarea autosize={false} rows={2} maxLength={2_000} {...text('notes')} />
        <details className={classes['more']} open={inMore.some((name) => name in errors) || undefined}>
          <summary>{t('form.moreOptions')}</summary>
          <Fields>
            <Columns>
              <TextInput maxLength={3} disabled={isNumbered} {...text('currency')} />
              <TextInput inputMode="decimal" description={t('form.exchangeAbout')} {...text('exchange_rate')} />
            </Columns>
            <Columns>
              <NativeSelect
                label={t('form.prices')}
                data={['false', 'true'].map((value) => ({ value, label: named('form.prices', value) }))}
                value={String(head.prices_include_tax)}
                error={errors['prices_include_tax']}
                onChange={(event) => change({ prices_include_tax: event.currentTarget.value === 'true' })}
              />
              <NativeSelect
                label={t('form.rounding')}
                data={roundings.map((value) => ({ value, label: t(`form.rounding.${value}`) }))}
                value={head.rounding}
                error={errors['rounding']}
                onChange={(event) => change({ rounding: event.currentTarget.value as Head['rounding'] })}
              />
            </Columns>
            <Columns>
              <TextInput maxLength={12} disabled={isNumbered} placeholder={t('form.seriesDefault')} {...text('series')} />
              <TextInput type="date" {...text('supply_date')} />
              <Till head={head} change={change} error={errors['unit'] ?? errors['device']} />
              <NativeSelect
                label={t('fact.method')}
                data={[{ value: '', label: '—' }, ...methods.map((value) => ({ value, label: named('method', value) }))]}
                value={head.payment_method}
                error={errors['payment_method']}
                onChange={(event) => change({ payment_method: event.currentTarget.value as Head['payment_method'] })}
              />
            </Columns>
          </Fields>
        </details>
      </Fields>
    </Panel>
  );
});

interface TillProps {
  head: Head;
  change: (to: Partial<Head>) => void;
  error: string | undefined;
}

/** Where it is issued, for an issuer with units. */
function Till({ head: { unit = '', device = '' }, change, error }: TillProps) {
  const { data: issuer } = useIssuerBasics();
  const known =
    issuer?.units.flatMap((one) => (one.devices.length > 0 ? one.devices : ['']).map((code) => [one.code, code] as const)) ?? [];
  if (known.length === 0) return null;
  const isKnown = known.some(([code, till]) => code === unit && till === device);
  const places = isKnown ? known : [[unit, device] as const, ...known];
  return (
    <NativeSelect
      label={t('form.till')}
      data={places.map(([code, till], n) => ({
        value: String(n),
        label: [code, till].filter(Boolean).join(', ') || t('form.tillDefault'),
      }))}
      value={String(places.findIndex(([code, till]) => code === unit && till === device))}
      error={error}
      onChange={(event) => {
        const [code = '', till = ''] = places[Number(event.currentTarget.value)] ?? [];
        change({ unit: code, device: till });
      }}
    />
  );
}
