import type { Resource } from '../api/types.ts';
import { useCan } from '../session/session.ts';
import { forPeople } from '../texts/for-people.ts';
import { t } from '../texts/t.ts';
import { Notice } from '../ui/notice.tsx';
import { PageLink } from '../ui/page-link.tsx';

interface WarningsProps {
  warnings: readonly Resource<'Warning'>[];
  /** The id of the customer whose page they lead to; null: to none. */
  customer: string | null;
}

/** What is probably not meant. What is about the customer is mended there. */
export function Warnings({ warnings, customer }: WarningsProps) {
  const can = useCan();
  return warnings.map(({ field, code, message }) => (
    <Notice key={`${field} ${code}`} tone="warn">
      <bdi>{forPeople(message)}</bdi>{' '}
      {field.startsWith('customer.') && customer !== null && can('customers:write') && (
        <PageLink to={`/app/customers/${customer}`}>{t('form.editCustomer')}</PageLink>
      )}
    </Notice>
  ));
}
