import { Skeleton } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Console, useConsole } from '../api/consoles.ts';
import type { Resource } from '../api/types.ts';
import { showMilliseconds } from '../format/numbers.ts';
import { named, t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Failure } from '../ui/failure.tsx';
import { newestOf } from '../ui/paging.ts';
import { Time } from '../ui/time.tsx';
import { documentKey, type Kind } from './documents.ts';
import classes from './fiscal.module.css';

type Entry = Resource<'AttemptEntry'>;

const columns: readonly Column<Entry>[] = [
  { id: 'what', header: t('attempt.what'), width: 110, cell: ({ kind }) => named('attempt.kind', kind) },
  { id: 'outcome', header: t('attempt.outcome'), cell: outcomeOf },
  { id: 'took', header: t('attempt.took'), align: 'end', cell: ({ duration_ms: ms }) => (ms === null ? '—' : showMilliseconds(ms)) },
  { id: 'at', header: t('attempt.at'), align: 'end', cell: ({ at }) => <Time at={at} /> },
];

function outcomeOf({ outcome, error, http_status: status }: Entry): ReactNode {
  const words = named('attempt.outcome', outcome ?? 'none');
  if (error)
    return (
      <>
        {words}: <bdi>{error.message}</bdi> (<bdi>{error.code}</bdi>)
      </>
    );
  return status === null ? words : `${words} (HTTP ${status})`;
}

const PAGE = 100;
const SHOWN = 10;

interface Asked {
  kind: Kind;
  id: string;
}

const attemptsOf = (console: Console, { kind, id }: Asked, page: number, signal: AbortSignal) => {
  const options = { params: { path: { id }, query: { per_page: PAGE, page } }, signal };
  return answered(
    kind === 'invoice'
      ? console.GET('/console/v1/invoices/{id}/attempts', options)
      : console.GET('/console/v1/receipts/{id}/attempts', options),
  );
};

/** The newest attempts to register a document, read when they are opened. The list keeps a bounded number of them: `count` is of all. */
export function Attempts({ kind, id, count }: Asked & { count: number }) {
  const { console, env } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [...documentKey(env, kind, id), 'attempts', count],
    queryFn: ({ signal }) => newestOf(SHOWN, (page) => attemptsOf(console, { kind, id }, page, signal)),
    enabled: isOpen,
  });
  return (
    <details className={classes['attempts']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t(count > SHOWN ? 'attempt.newest' : 'attempt.count', { count })}</summary>
      {error && <Failure error={error} again={() => void refetch()} />}
      {isOpen && !data && !error && <Skeleton height={60} />}
      {data && (
        <div className={classes['wide']}>
          <DataTable label={t('attempt.title')} columns={columns} rows={data} idOf={({ n }) => String(n)} empty={null} />
        </div>
      )}
    </details>
  );
}
