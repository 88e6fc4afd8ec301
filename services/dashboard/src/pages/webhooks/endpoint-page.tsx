import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Once } from '../../ui/once.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { endpointsAddress, healthOf, freshSecrets, healthTones } from './endpoints.ts';
import { HealthNotice } from './health-notice.tsx';
import { useDeliveries, useEndpoint } from './queries.ts';
import { RecoveryProgress } from './recovery-progress.tsx';
import { Stats } from './stats.tsx';

/** One endpoint: how it fares and why, what was sent, and what can be done. A secret that is new, until the page is left. */
export default function EndpointPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const [secret, setSecret] = useState(() => freshSecrets.take(id));
  const { data, error, refetch } = useEndpoint(id);
  const deliveries = useDeliveries(id, data?.recovery?.status);
  const { data: rows, error: unread } = deliveries.reading;
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const health = healthOf(data);
  return (
    <Page
      title={data.description ?? hostOf(data.url)}
      about={data.url}
      back={{ to: endpointsAddress, label: t('nav.webhooks') }}
      beside={<Badge tone={healthTones[health]}>{t(`hooks.health.${health}`)}</Badge>}
      actions={<EndpointActions endpoint={data} showSecret={setSecret} />}
    >
      {secret !== undefined && (
        <Panel title={t('hooks.secret')}>
          <Notice tone="warn">{t('hooks.secretOnce')}</Notice>
          <Once label={t('hooks.secretAbout')} value={secret} />
        </Panel>
      )}
      <HealthNotice endpoint={data} />
      {data.recovery && <RecoveryProgress endpoint={data} recovery={data.recovery} />}
      <Stats endpoint={id} recovery={data.recovery?.status} isDue={rows !== undefined || unread !== null} />
      <Deliveries endpoint={id} {...deliveries} />
      <Panel title={t('hooks.settings')}>
        <EndpointFacts endpoint={data} />
      </Panel>
    </Page>
  );
}

/** The address is the title where there is no description; it stands below whole. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
