import { Button, Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { ActionsMenu } from '../../documents/actions-menu.tsx';
import { newInvoice } from '../../documents/documents.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { ChangeCustomer } from './change-customer.tsx';
import { customersKey } from './customers.ts';

type Customer = Resource<'Customer'>;

/** What can be done with a customer, for who may. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const { console, env } = useConsole();
  const can = useCan();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete' | 'erase'>();
  const close = (): void => setOpen(undefined);
  const path = { id: customer.id };
  const show = (now: Customer): void => {
    close();
    queries.setQueryData([...customersKey(env), customer.id], now);
    void queries.invalidateQueries({ queryKey: customersKey(env) });
  };
  const remove = useSaving({
    run: (_: undefined) => answered(console.DELETE('/console/v1/customers/{id}', { params: { path } })),
    done: show,
  });
  const erase = useSaving({
    run: (_: undefined, once) => answered(console.POST('/console/v1/customers/{id}/erase', { params: { path }, body: {}, headers: once })),
    done: () => {
      close();
      void queries.invalidateQueries({ queryKey: customersKey(env) });
    },
  });
  if (!can('customers:write')) return null;
  return (
    <>
      {can('invoices:write') && (
        <Button
          variant="default"
          component={Link}
          to={newInvoice}
          search={((before: { live?: string }) => ({ live: before.live, customer_id: customer.id })) as never}
        >
          {t('invoice.new')}
        </Button>
      )}
      <Button onClick={() => setOpen('edit')}>{t('invoice.edit')}</Button>
      <ActionsMenu
        actions={[
          { name: 'delete', label: t('customers.delete'), run: () => setOpen('delete') },
          { name: 'erase', label: t('customers.erase'), run: () => setOpen('erase') },
        ]}
      />
      <Modal opened={open === 'edit'} onClose={close} title={t('customers.edit')} size="lg">
        {open === 'edit' && <ChangeCustomer customer={customer} done={show} cancel={close} />}
      </Modal>
      <Confirm
        opened={open === 'delete'}
        close={close}
        title={t('customers.deleteTitle')}
        button={t('customers.delete')}
        saving={remove}
        isDangerous
      >
        <p>{t('customers.deleteAbout')}</p>
      </Confirm>
      <Confirm
        opened={open === 'erase'}
        close={close}
        title={t('customers.eraseTitle')}
        button={t('customers.erase')}
        saving={erase}
        isDangerous
      >
        <p>{t('customers.eraseAbout')}</p>
      </Confirm>
    </>
  );
}
