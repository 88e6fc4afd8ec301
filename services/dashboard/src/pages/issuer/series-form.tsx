import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Columns } from '../../ui/fields.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Issuer, type IssuerChange, useIssuerForm } from './issuer.ts';

const kinds = ['standard', 'credit_note', 'corrective', 'receipt'] as const;
const parts = ['code', 'format', 'start'] as const;
type Field = `${(typeof kinds)[number]}.${(typeof parts)[number]}`;
const fields: readonly Field[] = kinds.flatMap((kind) => parts.map((part): Field => `${kind}.${part}`));
type Values = Record<string, string>;

/** A dot in a name would be a path of the form. */
const nameOf = (kind: string, part: string): string => `${kind}-${part}`;

const valuesOf = ({ series }: Issuer): Values =>
  Object.fromEntries(kinds.flatMap((kind) => parts.map((part) => [nameOf(kind, part), String(series[kind][part])])));

/** Only the series and starts that the person has changed: those that have given numbers are partly locked. */
function changesOf(before: Values, values: Values): IssuerChange {
  const changed = kinds.filter((kind) => parts.some((part) => values[nameOf(kind, part)] !== before[nameOf(kind, part)]));
  const seriesOf = (kind: (typeof kinds)[number]) => ({
    code: (values[nameOf(kind, 'code')] ?? '').trim(),
    format: (values[nameOf(kind, 'format')] ?? '').trim(),
    ...(values[nameOf(kind, 'start')] !== before[nameOf(kind, 'start')] && { start: Number(values[nameOf(kind, 'start')]) }),
  });
  return { series: Object.fromEntries(changed.map((kind) => [kind, seriesOf(kind)])) };
}

/** How numbers are written, by kind of document, and where they begin. */
export function SeriesForm({ issuer }: { issuer: Issuer }) {
  const canWrite = useCan()('settings:write');
  const { initial, save, shown } = useIssuerForm<Values>(issuer, { valuesOf, changesOf });
  const form = useForm<Values>({ initialValues: initial });
  const saving = useSaving({
    run: save,
    done: (saved, sent) => form.setValues((typed) => shown(saved, sent, typed as Values)),
    form: {
      setValues: form.setValues,
      setErrors: (errors) =>
        form.setErrors(
          Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.replace('series.', '').replace('.', '-'), text])),
        ),
      fields: fields.map((name) => `series.${name}`),
    },
  });
  return (
    <FormPanel
      title={t('issuer.series')}
      about={t('issuer.seriesAbout')}
      saving={saving}
      onSubmit={form.onSubmit(saving.run)}
      canWrite={canWrite}
    >
      {kinds.map((kind) => (
        <Columns key={kind}>
          {parts.map((part) => (
            <TextInput
              key={part}
              inputMode={part === 'start' ? 'numeric' : undefined}
              label={t('issuer.ofKind', { kind: t(`issuer.kind.${kind}`), name: t(`issuer.series.${part}`) })}
              {...form.getInputProps(nameOf(kind, part))}
            />
          ))}
        </Columns>
      ))}
    </FormPanel>
  );
}
