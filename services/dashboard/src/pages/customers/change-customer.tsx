import { answered } from '@svc/client/console';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { CustomerForm } from '../../customers/customer-form.tsx';
import { customerOf, type CustomerValues, valuesOf } from '../../customers/customer-values.ts';
import { t } from '../../texts/t.ts';
import { changedFields, createChange } from '../../ui/change.ts';

type Customer = Resource<'Customer'>;

interface ChangeCustomerProps {
  customer: Customer;
  done: (now: Customer) => void;
  cancel: () => void;
}

/** The form of a customer as it is when it is opened. */
export function ChangeCustomer({ customer, done, cancel }: ChangeCustomerProps) {
  const { console } = useConsole();
  const [change] = useState(() => {
    const params = { path: { id: customer.id } };
    return createChange<Customer, CustomerValues>({
      opened: customer,
      valuesOf,
      read: () => answered(console.GET('/console/v1/customers/{id}', { params })),
      write({ before, values, headers }) {
        const body = changedFields(customerOf(valuesOf(before)), customerOf(values));
        return answered(console.PATCH('/console/v1/customers/{id}', { params, headers, body }));
      },
    });
  });
  return <CustomerForm initial={change.initial} save={change.save} done={done} button={t('action.save')} cancel={cancel} />;
}
