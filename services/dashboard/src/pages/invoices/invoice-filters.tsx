import { registrations } from '../../documents/documents.ts';
import { t } from '../../texts/t.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import type { ListSearch } from '../../ui/list-search.ts';
import { type InvoiceFilterName, optionsOf, paymentOptions, sorts, types } from './invoices.ts';

export const InvoiceFilters = ({ search }: { search: ListSearch<InvoiceFilterName> }) => (
  <Filters search={search}>
    <TextFilter search={search} name="q" label={t('invoices.search')} />
    <ChoiceFilter search={search} name="payment_status" label={t('invoices.anyPayment')} options={paymentOptions()} />
    <ChoiceFilter
      search={search}
      name="fiscal_status"
      label={t('invoices.anyRegistration')}
      options={optionsOf('fiscal.status', registrations)}
    />
    <ChoiceFilter search={search} name="type" label={t('invoices.anyType')} options={optionsOf('type', types)} />
    <TextFilter search={search} name="issue_from" type="date" label={t('list.from')} />
    <TextFilter search={search} name="issue_to" type="date" label={t('list.to')} />
    <TextFilter search={search} name="due_from" type="date" label={t('list.dueFrom')} />
    <TextFilter search={search} name="due_to" type="date" label={t('list.dueTo')} />
    <ChoiceFilter search={search} name="sort" label={t('sort.newest')} options={optionsOf('sort', sorts)} />
  </Filters>
);
