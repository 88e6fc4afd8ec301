import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { ActionsMenu, type MenuAction } from '../../documents/actions-menu.tsx';
import { documentKey, type Receipt } from '../../documents/documents.ts';
import { ResolveDocument } from '../../documents/resolve-document.tsx';
import { VoidDocument } from '../../documents/void-document.tsx';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { useSaving } from '../../ui/saving.ts';

/** What can be done with a receipt as it is, for who may. Whether a cashier may void this one is for the interface to say. */
export function ReceiptActions({ receipt }: { receipt: Receipt }) {
  const { console, env } = useConsole();
  const can = useCan();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<'void' | 'resolve'>();
  const close = (): void => setQuestion(undefined);
  const path = { id: receipt.id };
  const show = (now: Receipt): void => {
    queries.setQueryData(documentKey(env, 'receipt', receipt.id), now);
    refresh();
  };
  const refresh = (): void => void queries.invalidateQueries({ queryKey: [env, 'receipts'] });
  const resubmit = useSaving({
    run: (_: undefined, once) =>
      answered(console.POST('/console/v1/receipts/{id}/resubmit', { params: { path }, body: {}, headers: once })),
    done: show,
  });
  const { available_actions: open, unavailable_actions: closed = {} } = receipt;
  const canVoid = can('receipts:void') || can('receipts:void_own');
  const menu: MenuAction[] = [
    ...(closed.resubmit && can('receipts:write')
      ? [{ name: 'resubmit', label: t('receipt.resubmit'), run: () => undefined, closed: closed.resubmit }]
      : []),
    ...((open.includes('void') || closed.void) && canVoid
      ? [{ name: 'void', label: t('void.button'), run: () => setQuestion('void'), closed: open.includes('void') ? undefined : closed.void }]
      : []),
  ];
  return (
    <>
      {resubmit.error && <Failure error={resubmit.error} />}
      {open.includes('resubmit') && can('receipts:write') && (
        <Button loading={resubmit.isRunning} onClick={() => resubmit.run(undefined)}>
          {t('receipt.resubmit')}
        </Button>
      )}
      {open.includes('resolve') && can('receipts:write') && <Button onClick={() => setQuestion('resolve')}>{t('resolve.button')}</Button>}
      <ActionsMenu actions={menu} />
      <ResolveDocument kind="receipt" id={receipt.id} opened={question === 'resolve'} close={close} />
      <VoidDocument
        opened={question === 'void'}
        close={close}
        needsReason
        run={(reason = '', once) => {
          const headers = { ...once, 'If-Match': `"${receipt.version}"` };
          // After a failure, too: another person may have changed it.
          return answered(console.POST('/console/v1/receipts/{id}/void', { params: { path }, body: { reason }, headers })).finally(refresh);
        }}
        done={show}
      />
    </>
  );
}
