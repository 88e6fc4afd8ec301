import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Attempt } from './attempt.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { endpointAddress, endpointKey, endpointsAddress, toneOf } from './endpoints.ts';
import { useEndpointOf } from './queries.ts';
import { SentBody, useEvent } from './sent-body.tsx';

type Delivery = Resource<'Delivery'>;
const ASKED_MS = 3_000;

/** One event on its way to one endpoint: each attempt with its reason, what was sent and what came back. */
export default function DeliveryPage() {
  const { id = '', whd = '' } = useParams({ strict: false }) as { id?: string; whd?: string };
  const { console, env } = useConsole();
  const { endpoint, isGone } = useEndpointOf(id);
  const { data, error, refetch } = useQuery({
    queryKey: [...endpointKey(env, id), 'deliveries', whd],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/webhooks/{id}/deliveries/{whd}', { params: { path: { id, whd } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? ASKED_MS : false),
  });
  const sent = useEvent(data?.event_id);
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page
      title={data.event_type}
      about={isGone ? t('deliveries.endpointDeleted') : endpoint?.url}
      beside={<Badge tone={toneOf(data.status)}>{named('delivery', data.status)}</Badge>}
      back={isGone ? { to: endpointsAddress, label: t('nav.webhooks') } : { to: endpointAddress(id), label: t('deliveries.back') }}
      actions={endpoint?.status === 'enabled' && <Redeliver delivery={data} />}
    >
      <Panel>
        <DeliveryFacts delivery={data} />
      </Panel>
      <Panel title={t('attempts.title')}>
        {data.attempts.length === 0 && (
          <Empty icon="webhooks" title={t('attempts.none')}>
            {t(isGone || endpoint?.status === 'disabled' ? 'attempts.noneDisabled' : 'attempts.noneText')}
          </Empty>
        )}
        {[...data.attempts].reverse().map((attempt) => (
          <Attempt key={attempt.n} attempt={attempt} />
        ))}
      </Panel>
      <SentBody sent={sent} />
    </Page>
  );
}

/** Sends it once more now, for who may. */
function Redeliver({ delivery: { id: whd, endpoint_id: id } }: { delivery: Delivery }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const can = useCan();
  const send = useSaving({
    run: (_: undefined, once) =>
      answered(
        console.POST('/console/v1/webhooks/{id}/deliveries/{whd}/redeliver', { params: { path: { id, whd } }, body: {}, headers: once }),
      ),
    async done(now) {
      queries.setQueryData([...endpointKey(env, id), 'deliveries', whd], now);
      await queries.invalidateQueries({ queryKey: endpointKey(env, id) });
    },
  });
  if (!can('webhooks:write')) return null;
  return (
    <>
      {send.error && <Failure error={send.error} />}
      <Button loading={send.isRunning} onClick={() => send.run(undefined)}>
        {t('deliveries.again')}
      </Button>
    </>
  );
}
