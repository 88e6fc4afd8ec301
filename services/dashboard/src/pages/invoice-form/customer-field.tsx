import { Modal, TextInput } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Once } from '../../api/intent.ts';
import type { Resource } from '../../api/types.ts';
import { CustomerForm } from '../../customers/customer-form.tsx';
import { customerOf, type CustomerValues, noCustomer } from '../../customers/customer-values.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { useIntent } from '../../ui/saving.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { Suggest } from '../../ui/suggest.tsx';
import type { Head } from './values.ts';

interface CustomerFieldProps {
  value: Head['customer'];
  onChange: (customer: Head['customer']) => void;
  error: string | undefined;
  /** A credit note and a corrective are for the customer of what they correct. */
  isFixed: boolean;
}

type Found = Resource<'Customer'> | { id: 'new'; name: string };
const OFFERED = 8;

/** Whom it is for: found by any word of the name, tax id or e-mail, or made here. */
export function CustomerField({ value, onChange, error, isFixed }: CustomerFieldProps) {
  const { console, env } = useConsole();
  const canWrite = useCan()('customers:write');
  const [text, setText] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  const source = useMemo(
    () => ({
      key: [env, 'customers', 'offered'],
      async read(q: string, signal: AbortSignal): Promise<readonly Found[]> {
        const query = { per_page: OFFERED, ...(q && { q }) };
        const { data } = await answered(console.GET('/console/v1/customers', { params: { query }, signal }));
        return canWrite ? [...data, { id: 'new' as const, name: q }] : data;
      },
    }),
    [console, env, canWrite],
  );
  const choose = (row: Found): void => {
    if (!('object' in row)) return setMaking(true);
    setText(undefined);
    onChange({ id: row.id, name: row.name ?? '' });
  };
  // What is wrong of the customer itself is mended there.
  const edit = error && value && canWrite && <PageLink to={`/app/customers/${value.id}`}>{t('form.editCustomer')}</PageLink>;
  if (isFixed)
    return (
      <div>
        <TextInput readOnly label={t('fact.customer')} value={value?.name ?? ''} error={error} />
        {edit}
      </div>
    );
  return (
    <div>
      <Suggest
        label={t('fact.customer')}
        // What was chosen is looked for no more; its name is replaced by typing.
        value={text ?? value?.name ?? ''}
        onChange={(typed) => {
          setText(typed);
          if (value) onChange(null);
        }}
        choose={choose}
        source={source}
        optionOf={optionOf}
        opens={value ? 'typed' : 'focus'}
        input={(props) => (
          <TextInput
            {...props}
            required
            autoFocus={value === null}
            label={t('fact.customer')}
            placeholder={t('form.customerHint')}
            error={error && value === null && text?.trim() ? t('form.chooseCustomer') : error}
          />
        )}
      />
      {edit}
      <NewCustomer
        opened={isMaking}
        name={text ?? ''}
        close={() => setMaking(false)}
        made={(customer) => {
          setMaking(false);
          setText(undefined);
          onChange({ id: customer.id, name: customer.name ?? '' });
        }}
      />
    </div>
  );
}

const optionOf = (row: Found) =>
  'object' in row
    ? { id: row.id, title: row.name ?? t('parties.unnamed'), about: row.tax_id ?? row.email ?? undefined }
    : { id: 'new', title: row.name ? t('form.newCustomerNamed', { name: row.name }) : t('form.newCustomer') };

interface NewCustomerProps {
  opened: boolean;
  name: string;
  close: () => void;
  made: (customer: Resource<'Customer'>) => void;
}

function NewCustomer({ opened, name, close, made }: NewCustomerProps) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const intent = useIntent();
  // After a failure, too: without an answer the list says whether it is there.
  const refresh = (): void => void queries.invalidateQueries({ queryKey: [env, 'customers'] });
  const save = (values: CustomerValues, once: Once) =>
    answered(console.POST('/console/v1/customers', { body: customerOf(values), headers: once })).finally(refresh);
  return (
    <Modal opened={opened} onClose={close} title={t('form.newCustomer')} size="lg">
      {opened && (
        <CustomerForm
          initial={{ ...noCustomer, name }}
          save={save}
          done={made}
          intent={intent}
          button={t('customer.create')}
          cancel={close}
        />
      )}
    </Modal>
  );
}
