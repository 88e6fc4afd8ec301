import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CustomerLink } from '../../customers/customer-link.tsx';
import { useExporting } from '../../documents/jobs.ts';
import { showDay } from '../../format/dates.ts';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Columns } from '../../ui/fields.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { daysOf, type ExportFilters, exportOf, type ExportValues, kinds } from './exports.ts';

interface ExportFormProps {
  filters: ExportFilters;
  today: string;
}

/** Which days, as what. */
export function ExportForm({ filters, today }: ExportFormProps) {
  const can = useCan();
  const exporting = useExporting();
  const form = useForm<ExportValues>({
    initialValues: { kind: 'pdf', ...daysOf(filters, today) },
  });
  const saving = useSaving({
    run: (values: ExportValues, once) => exporting.run(exportOf(values, filters), once),
    done: exporting.done,
    form: { setErrors: form.setErrors, fields: ['kind', 'from', 'to'] },
  });
  const shown = shownFilters(filters);
  return (
    <FormPanel
      title={t('exports.new')}
      about={t('exports.newAbout')}
      saving={{ ...saving, isDone: false }}
      onSubmit={form.onSubmit(saving.run)}
      button={t('exports.begin')}
      canWrite={can('invoices:read') || can('receipts:read')}
    >
      <Columns>
        <NativeSelect
          label={t('exports.kind')}
          data={kinds.map((value) => ({ value, label: t(`exports.kind.${value}`) }))}
          {...form.getInputProps('kind')}
        />
        <TextInput required type="date" label={t('list.from')} {...form.getInputProps('from')} />
        <TextInput required type="date" label={t('list.to')} {...form.getInputProps('to')} />
      </Columns>
      {shown.length > 0 && <Facts rows={shown} />}
    </FormPanel>
  );
}

const namesOf: Record<string, string> = {
  ...{ types: 'type', statuses: 'status', payment_statuses: 'payment', fiscal_statuses: 'fiscal.status' },
};

/** The filters that came with the address, for a person to read. */
function shownFilters(filters: ExportFilters) {
  const lists = Object.entries(namesOf).flatMap(([name, prefix]) => {
    const values = filters[name]?.split(',').map((value) => named(prefix, value));
    return values ? [[named('exports.only', name), values.join(', ')] as const] : [];
  });
  const { customer_id: customer, q } = filters;
  const texts = [
    ...(customer ? [[t('exports.only.customer_id'), <CustomerLink key="customer" id={customer} />] as const] : []),
    ...(q ? [[t('exports.only.q'), q] as const] : []),
  ];
  const days = ['due_from', 'due_to'].flatMap((name) =>
    filters[name] ? [[named('exports.only', name), showDay(filters[name])] as const] : [],
  );
  return [...lists, ...texts, ...days];
}
