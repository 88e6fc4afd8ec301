import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useAsking } from '../../documents/asking.ts';
import { documentAddress, documentKey, type Receipt, toneOf } from '../../documents/documents.ts';
import { showMoney } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './basket.module.css';

/** The receipt that was issued, with its paper to print. Its state goes on to be asked for. */
export function Issued({ receipt, next }: { receipt: Receipt; next: () => void }) {
  const { console, env } = useConsole();
  const asking = useAsking();
  const params = { path: { id: receipt.id } };
  const paper = useRef<HTMLIFrameElement>(null);
  const { data: now = receipt } = useQuery({
    queryKey: documentKey(env, 'receipt', receipt.id),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/receipts/{id}', { params, signal })),
    initialData: receipt,
    refetchInterval: asking,
  });
  const {
    data: pdf,
    error,
    refetch,
  } = useQuery({
    queryKey: [...documentKey(env, 'receipt', receipt.id), 'pdf', now.version],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/receipts/{id}/pdf', { params, signal })),
    ...{ staleTime: 14 * 60_000, refetchOnWindowFocus: false },
  });
  return (
    <Panel
      title={t('till.issued', { number: now.number })}
      actions={<Badge tone={toneOf(now.fiscal?.status ?? now.status)}>{stateOf(now)}</Badge>}
    >
      <p className={classes['total']}>{showMoney(now.total, now.currency)}</p>
      <Facts rows={rowsOf(now)} />
      {error && <Failure error={error} again={() => void refetch()} />}
      <div className={classes['done']}>
        <Button variant="default" size="md" component={Link} to={documentAddress('receipt', now.id)}>
          {t('till.open')}
        </Button>
        <Button variant="default" size="md" disabled={!pdf} onClick={() => paper.current?.contentWindow?.print()}>
          {t('till.print')}
        </Button>
        <Button size="md" autoFocus onClick={next}>
          {t('till.next')}
        </Button>
      </div>
      {pdf && <iframe ref={paper} className={classes['paper']} src={`${pdf.url}#toolbar=0&navpanes=0&view=FitH`} title={t('pdf.title')} />}
    </Panel>
  );
}

const stateOf = ({ fiscal, status }: Receipt): string => (fiscal ? named('fiscal.status', fiscal.status) : named('status', status));

const rowsOf = ({ fiscal, payment_method: method }: Receipt) => [
  ...(method ? [[t('fact.paid'), named('method', method)] as const] : []),
  ...(fiscal?.code ? [[t('fiscal.code'), <code key="code">{fiscal.code}</code>] as const] : []),
  ...(fiscal?.error ? [[t('notice.rejected'), fiscal.error.message] as const] : []),
];
