import { named, t } from '../../texts/t.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import type { ListSearch } from '../../ui/list-search.ts';
import { type ReportFilterName, type ReportName, shapes } from './reports.ts';

const kinds = ['invoices', 'receipts'] as const;

/** Of which days, as of which day and as known when, grouped how. */
export function ReportFiltersBar({ name, search }: { name: ReportName; search: ListSearch<ReportFilterName> }) {
  const { groupings, isAsOf } = shapes[name];
  return (
    <Filters search={search}>
      {!isAsOf && <TextFilter search={search} name="from" type="date" label={t('list.from')} />}
      {!isAsOf && <TextFilter search={search} name="to" type="date" label={t('list.to')} />}
      <TextFilter search={search} name="as_of" type="date" label={t('reports.asOf')} />
      <TextFilter search={search} name="known_at" type="datetime-local" label={t('reports.knownAt')} />
      <ChoiceFilter
        search={search}
        name="kind"
        label={t('reports.anyKind')}
        options={kinds.map((value) => ({ value, label: t(`nav.${value}`) }))}
      />
      {groupings.length > 0 && (
        <ChoiceFilter
          search={search}
          name="group_by"
          label={t('reports.groupBy')}
          options={groupings.map((value) => ({ value, label: named('reports.group', value) }))}
        />
      )}
      <ChoiceFilter
        search={search}
        name="cite"
        label={t('reports.withoutCited')}
        options={[{ value: 'true', label: t('reports.withCited') }]}
      />
    </Filters>
  );
}
