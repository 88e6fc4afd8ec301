import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Ago, Time } from '../../ui/time.tsx';

type Session = Resource<'OpenSession'>;
const sessionsKey = ['sessions'];

const columns: readonly Column<Session>[] = [
  { id: 'agent', header: t('sessions.browser'), cell: ({ user_agent: agent }) => browserOf(agent) },
  { id: 'ip', header: t('sessions.address'), cell: ({ ip }) => ip },
  { id: 'began', header: t('sessions.began'), narrow: 'hide', cell: ({ created_at: at }) => <Time at={at} /> },
  { id: 'used', header: t('sessions.used'), cell: ({ last_used_at: at }) => <Ago at={at} /> },
  { id: 'end', header: '', align: 'end', cell: (session) => <End session={session} /> },
];

/** Where the person is signed in. */
export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => answered(general.GET('/console/sessions', { params: { query: { per_page: 100 } }, signal })),
  });
  return (
    <Panel title={t('sessions.title')} about={t('sessions.about')} flush>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <DataTable label={t('sessions.title')} columns={columns} rows={data?.data} idOf={({ id }) => id} empty={null} />
      )}
    </Panel>
  );
}

function End({ session: { id, current } }: { session: Session }) {
  const queries = useQueryClient();
  const saving = useSaving({
    run: (_: undefined) => answered(general.DELETE('/console/sessions/{id}', { params: { path: { id } } })),
    done: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
  if (current) return <Badge tone="good">{t('sessions.this')}</Badge>;
  return (
    <>
      {saving.error && <Failure error={saving.error} />}
      <Button size="compact-sm" variant="default" loading={saving.isRunning} onClick={() => saving.run(undefined)}>
        {t('sessions.end')}
      </Button>
    </>
  );
}

/** The browser's own name in what it says of itself; all of that where there is none. */
function browserOf(agent: string | null): string {
  if (agent === null) return t('sessions.unknown');
  const name = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Safari)\/(\d+)/.exec(agent);
  const system = /\((?:X11; )?([^;)]+)/.exec(agent);
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', HeadlessChrome: 'Chrome' };
  return name ? `${names[name[1] ?? ''] ?? name[1]} ${name[2]}${system ? `, ${system[1]}` : ''}` : agent;
}
