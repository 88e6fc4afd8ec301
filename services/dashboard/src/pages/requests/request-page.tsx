import { answered, ApiError } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { DocumentLink } from '../../documents/document-link.tsx';
import { kindOf } from '../../documents/documents.ts';
import { showNumber } from '../../format/numbers.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { actorOf, requestsAddress, type Row, toneOf } from './requests.ts';

/** One request by its id: why it was refused, or what it did. */
export default function RequestPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'requests', id],
    queryFn: ({ signal }) => answered(console.GET('/console/requests/{id}', { params: { path: { id } }, signal })),
  });
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Page
      title={data?.method ? `${data.method} ${data.path}` : t('requests.one')}
      beside={data?.status && <Badge tone={toneOf(data)}>{data.status}</Badge>}
      back={{ to: requestsAddress, label: t('nav.requests') }}
    >
      {!data && !error && <PageSkeleton />}
      {isUnknown && (
        <Empty icon="search" title={t('requests.unknown')}>
          {t('requests.unknownText')}
        </Empty>
      )}
      {error && !isUnknown && <Failure error={error} again={() => void refetch()} />}
      {data && (
        <Panel title={data.message ? t('requests.why') : undefined} about={data.message}>
          <RequestFacts request={data} />
        </Panel>
      )}
      {data?.events && <Events events={data.events as unknown as Event[]} />}
    </Page>
  );
}

interface Event {
  document_id: string;
  type: string;
  at: string;
}

const RequestFacts = ({ request }: { request: Row }) => (
  <Facts
    rows={[
      ['ID', <code key="id">{request.id}</code>],
      ...(request.at
        ? [
            [t('requests.at'), <Time key="at" at={request.at} />] as const,
            [t('requests.code'), request.code] as const,
            [t('requests.fields'), request.fields?.join(', ') || '—'] as const,
            [t('requests.who'), <Who key="who" request={request} />] as const,
            [t('requests.address'), request.ip] as const,
            [t('requests.took'), t('requests.ms', { ms: showNumber(request.duration_ms ?? 0) })] as const,
            ['Idempotency-Key', request.idempotency_key && <code key="idempotency">{request.idempotency_key}</code>] as const,
          ]
        : []),
    ]}
  />
);

/** The way to a key by its name; members have no page. */
function Who({ request }: { request: Row }) {
  const can = useCan();
  const { key_id: id } = request;
  const name = <bdi>{actorOf(request)}</bdi>;
  return id && can('api_keys:read') ? <Link to={`/app/settings/api-keys/${id}`}>{name}</Link> : name;
}

/** What a request that succeeded did. */
const Events = ({ events }: { events: readonly Event[] }) => (
  <Panel title={t('requests.did')}>
    <Facts
      rows={events.map(({ document_id: id, type, at }) => [
        named('history', type),
        <span key={`${id}${at}`}>
          <DocumentLink kind={kindOf(id)} id={id} /> · <Time at={at} />
        </span>,
      ])}
    />
  </Panel>
);
