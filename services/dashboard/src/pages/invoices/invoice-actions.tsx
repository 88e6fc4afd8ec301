import { Button, Checkbox } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { ActionsMenu, type MenuAction } from '../../documents/actions-menu.tsx';
import { isCorrectable, isCreditable } from '../../documents/corrections.ts';
import { documentAddress, documentKey, type Invoice, newInvoice } from '../../documents/documents.ts';
import { ResolveDocument } from '../../documents/resolve-document.tsx';
import { VoidDocument } from '../../documents/void-document.tsx';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { RecordPayment } from './record-payment.tsx';

/** What can be done with an invoice as it is, for who may. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const { console, env } = useConsole();
  const can = useCan();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<'submit' | 'void' | 'resolve' | 'payment'>();
  const close = (): void => setQuestion(undefined);
  const path = { id: invoice.id };
  // The authority takes what was issued without internet for longer.
  const isTooLate = invoice.fiscal?.error?.code === 'deadline_passed';
  const [isOffline, setOffline] = useState(false);
  const shownVersion = { 'If-Match': `"${invoice.version}"` };
  const show = (now: Invoice): void => {
    close();
    queries.setQueryData(documentKey(env, 'invoice', invoice.id), now);
    refresh();
  };
  const refresh = (): void => void queries.invalidateQueries({ queryKey: [env, 'invoices'] });
  const submit = useSaving({
    run(_: undefined, once) {
      const headers = { ...once, ...shownVersion };
      const body = isOffline && isTooLate ? { late_reason: 'no_internet' } : {};
      // After a failure, too: another person may have changed it.
      return answered(console.POST('/console/v1/invoices/{id}/submit', { params: { path }, body, headers })).finally(refresh);
    },
    done: show,
  });
  const toForm = (search: object): void =>
    void navigate({ to: newInvoice, search: ((before: object) => ({ ...before, ...search })) as never });
  const { available_actions: open, unavailable_actions: closed = {} } = invoice;
  const canCorrect = isCorrectable(invoice) && can('invoices:write');
  const canCredit = canCorrect && isCreditable(invoice);
  const canSubmit = open.includes('submit') && can('invoices:submit');
  const menu: MenuAction[] = [
    ...(closed.submit && can('invoices:submit') ? [{ name: 'submit', label: t('invoice.submit'), run: close, closed: closed.submit }] : []),
    ...(invoice.type === 'standard' && can('invoices:write')
      ? [{ name: 'duplicate', label: t('invoice.duplicate'), run: () => toForm({ from_id: invoice.id }) }]
      : []),
    ...(canCorrect && !canCredit ? [{ name: 'credit', label: t('invoice.credit'), run: close, closed: t('invoice.credited') }] : []),
    ...(canCorrect ? [{ name: 'correct', label: t('invoice.correct'), run: () => toForm({ corrects_id: invoice.id }) }] : []),
    ...((open.includes('void') || closed.void) && can('invoices:void')
      ? [{ name: 'void', label: t('void.button'), run: () => setQuestion('void'), closed: open.includes('void') ? undefined : closed.void }]
      : []),
  ];
  return (
    <>
      {open.includes('update') && can('invoices:write') && (
        <Button variant="default" component={Link} to={`${documentAddress('invoice', invoice.id)}/edit`}>
          {t('invoice.edit')}
        </Button>
      )}
      {canCredit && (
        <Button variant="default" component={Link} to={`${documentAddress('invoice', invoice.id)}/credit`}>
          {t('invoice.credit')}
        </Button>
      )}
      {open.includes('record_payment') && can('invoices:write') && (
        <Button onClick={() => setQuestion('payment')}>{t('payments.record')}</Button>
      )}
      {canSubmit && (
        <Button onClick={() => setQuestion('submit')}>{t(invoice.status === 'failed' ? 'invoice.submitAgain' : 'invoice.submit')}</Button>
      )}
      {open.includes('resolve') && can('invoices:submit') && <Button onClick={() => setQuestion('resolve')}>{t('resolve.button')}</Button>}
      <ActionsMenu actions={menu} />
      <Confirm opened={question === 'submit'} close={close} title={t('invoice.submitTitle')} button={t('invoice.submit')} saving={submit}>
        <p>{t(invoice.number ? 'invoice.submitAgainAbout' : 'invoice.submitAbout')}</p>
        {isTooLate && (
          <Checkbox
            mt={12}
            label={t('invoice.offline')}
            description={t('invoice.offlineAbout')}
            checked={isOffline}
            onChange={(event) => setOffline(event.currentTarget.checked)}
          />
        )}
      </Confirm>
      <RecordPayment invoice={invoice} opened={question === 'payment'} close={close} refresh={refresh} />
      <ResolveDocument kind="invoice" id={invoice.id} opened={question === 'resolve'} close={close} />
      <VoidDocument
        opened={question === 'void'}
        close={close}
        needsReason={invoice.status !== 'draft'}
        run={(reason, once) => {
          const headers = { ...once, ...shownVersion };
          const body = reason ? { reason } : {};
          return answered(console.POST('/console/v1/invoices/{id}/void', { params: { path }, body, headers })).finally(refresh);
        }}
        done={show}
      />
    </>
  );
}
