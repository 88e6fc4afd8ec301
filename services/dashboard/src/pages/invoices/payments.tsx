import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { documentKey, type Invoice } from '../../documents/documents.ts';
import { showDay } from '../../format/dates.ts';
import { type Decimal, isZero, negated, showMoney } from '../../format/numbers.ts';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { nextPage } from '../../ui/paging.ts';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Day } from '../../ui/time.tsx';
import classes from './payments.module.css';

type Payment = Resource<'Payment'>;
const PAGE = 100;

const columnsOf = (reverse: ((payment: Payment) => void) | undefined): readonly Column<Payment>[] => [
  { id: 'day', header: t('payments.day'), cell: ({ paid_at: day }) => <Day day={day} /> },
  { id: 'method', header: t('fact.method'), cell: ({ method }) => (method ? named('method', method) : '—') },
  { id: 'reference', header: t('payments.reference'), cell: ({ reference }) => reference ?? '—' },
  { id: 'amount', header: t('fact.amount'), align: 'end', cell: ({ amount, currency }) => showMoney(amount, currency) },
  ...(reverse
    ? [
        {
          ...{ id: 'actions', header: '', align: 'end' as const },
          cell: (payment: Payment) => (
            <Button size="compact-xs" variant="default" onClick={() => reverse(payment)}>
              {t('payments.reverse')}
            </Button>
          ),
        },
      ]
    : []),
];

/** What is open; below 0, more was paid than is left after what was credited. */
function openText(due: Decimal, currency: string): string {
  if (isZero(due)) return t('payments.settled');
  if (due.startsWith('-')) return t('payments.owedBack', { amount: showMoney(negated(due), currency) });
  return t('payments.due', { amount: showMoney(due, currency) });
}

/** What was paid of an invoice, and what is open. */
export function Payments({ invoice }: { invoice: Invoice }) {
  const { id, version, amount_due: due, currency } = invoice;
  const { console, env } = useConsole();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...documentKey(env, 'invoice', id), 'payments', version],
    queryFn: ({ signal, pageParam: page }) =>
      answered(console.GET('/console/v1/invoices/{id}/payments', { params: { path: { id }, query: { per_page: PAGE, page } }, signal })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });
  const canWrite = useCan()('invoices:write');
  const queries = useQueryClient();
  const [reversed, setReversed] = useState<Payment>();
  const close = (): void => setReversed(undefined);
  const reversing = useSaving({
    run: (_: undefined) =>
      answered(console.DELETE('/console/v1/invoices/{id}/payments/{pay}', { params: { path: { id, pay: reversed?.id ?? '' } } })),
    async done() {
      close();
      await queries.invalidateQueries({ queryKey: [env, 'invoices'] });
    },
  });
  const columns = useMemo(() => columnsOf(canWrite ? setReversed : undefined), [canWrite]);
  const rows = data?.pages.flatMap((page) => page.data).filter((payment) => !payment.deleted_at);
  return (
    <Panel title={t('payments.title')} about={openText(due, currency)} flush>
      {error && <Failure error={error} again={() => void refetch()} />}
      {!error && (
        <DataTable
          label={t('payments.title')}
          columns={columns}
          rows={rows}
          idOf={(payment) => payment.id}
          empty={<p className={classes['none']}>{t('payments.none')}</p>}
        />
      )}
      {hasNextPage && (
        <Button m={12} size="compact-sm" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('payments.more')}
        </Button>
      )}
      <Confirm
        opened={reversed !== undefined}
        close={close}
        title={t('payments.reverseTitle')}
        button={t('payments.reverse')}
        saving={reversing}
        isDangerous
      >
        {reversed && (
          <p>{t('payments.reverseAbout', { amount: showMoney(reversed.amount, reversed.currency), day: showDay(reversed.paid_at) })}</p>
        )}
      </Confirm>
    </Panel>
  );
}
