import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useConsole } from '../../api/consoles.ts';
import type { Intent } from '../../api/intent.ts';
import type { Resource } from '../../api/types.ts';
import type { Invoice } from '../../documents/documents.ts';
import { useToday } from '../../documents/issuer.ts';
import { readDecimal, showUnclear } from '../../format/decimals.ts';
import { showMoney } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Columns, Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useIntent, useSaving } from '../../ui/saving.ts';

interface RecordPaymentProps {
  invoice: Invoice;
  opened: boolean;
  close: () => void;
  /** Reads the invoice again. */
  refresh: () => void;
}

/** A form for what was paid: at first all that is open, today. */
export function RecordPayment({ opened, close, ...rest }: RecordPaymentProps) {
  const intent = useIntent();
  const today = useToday();
  return (
    <Modal opened={opened} onClose={close} title={t('payments.record')}>
      {opened && today && <PaymentForm close={close} intent={intent} today={today} {...rest} />}
    </Modal>
  );
}

type Method = Resource<'PaymentMethod'>;
const methods: readonly Method[] = ['transfer', 'card', 'cash', 'check', 'voucher', 'other'];

function PaymentForm({ invoice, close, refresh, intent, today }: Omit<RecordPaymentProps, 'opened'> & { intent: Intent; today: string }) {
  const { console } = useConsole();
  const { id, amount_due: due, currency } = invoice;
  const form = useForm({ initialValues: { amount: due, paid_at: today, method: 'transfer' as Method, reference: '' } });
  const saving = useSaving({
    run: ({ reference, amount, ...rest }: typeof form.values, once) => {
      const body = { ...rest, amount: readDecimal(amount), ...(reference.trim() && { reference: reference.trim() }) };
      // After a failure, too: without an answer the invoice says whether it was recorded.
      return answered(console.POST('/console/v1/invoices/{id}/payments', { params: { path: { id } }, body, headers: once })).finally(
        refresh,
      );
    },
    done: close,
    intent,
    form: { setErrors: form.setErrors, fields: ['amount', 'paid_at', 'method', 'reference'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <Columns>
          <TextInput
            data-autofocus
            required
            inputMode="decimal"
            label={t('payments.amount', { currency })}
            description={showUnclear(form.values.amount) ?? t('payments.due', { amount: showMoney(due, currency) })}
            {...form.getInputProps('amount')}
          />
          <TextInput
            required
            type="date"
            label={t('payments.day')}
            description={t('payments.dayAbout')}
            {...form.getInputProps('paid_at')}
          />
        </Columns>
        <Columns>
          <NativeSelect
            label={t('fact.method')}
            data={methods.map((value) => ({ value, label: named('method', value) }))}
            {...form.getInputProps('method')}
          />
          <TextInput maxLength={255} label={t('payments.reference')} {...form.getInputProps('reference')} />
        </Columns>
      </Fields>
      <FormButtons cancel={close} saving={saving} button={t('payments.record')} />
    </form>
  );
}
