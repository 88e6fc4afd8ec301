import { Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Once } from '../../api/intent.ts';
import { CustomerForm } from '../../customers/customer-form.tsx';
import { customerOf, type CustomerValues, noCustomer } from '../../customers/customer-values.ts';
import { t } from '../../texts/t.ts';
import { useIntent } from '../../ui/saving.ts';
import { customerAddress, customersKey } from './customers.ts';

/** The form of a new customer, then its page. */
export function CreateCustomer({ opened, close }: { opened: boolean; close: () => void }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const intent = useIntent();
  // After a failure, too: without an answer the list says whether it is there.
  const refresh = (): void => void queries.invalidateQueries({ queryKey: customersKey(env) });
  const save = (values: CustomerValues, once: Once) =>
    answered(console.POST('/console/v1/customers', { body: customerOf(values), headers: once })).finally(refresh);
  const show = ({ id }: { id: string }): Promise<void> => navigate({ to: customerAddress(id) });
  return (
    <Modal opened={opened} onClose={close} title={t('form.newCustomer')} size="lg">
      {opened && <CustomerForm initial={noCustomer} save={save} done={show} intent={intent} button={t('customer.create')} cancel={close} />}
    </Modal>
  );
}
