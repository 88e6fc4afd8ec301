import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Once } from '../../ui/once.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyFacts } from './key-facts.tsx';
import { keyKey, keysAddress, freshKeys } from './keys.ts';

/** One key. Where it was made or rotated just now, its value, until the page is left. */
export default function KeyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const [value, setValue] = useState(() => freshKeys.take(id));
  const { data, error, refetch } = useQuery({
    queryKey: keyKey(id),
    queryFn: ({ signal }) => answered(general.GET('/console/api-keys/{id}', { params: { path: { id } }, signal })),
  });
  if (!data) return error ? <Failure error={error} again={() => void refetch()} /> : <PageSkeleton />;
  const isRevoked = data.deleted_at !== null;
  return (
    <Page
      title={data.name}
      back={{ to: keysAddress, label: t('nav.apiKeys') }}
      beside={
        <>
          <Badge tone={data.livemode ? 'good' : 'warn'}>{t(data.livemode ? 'env.live' : 'env.test')}</Badge>
          {isRevoked && <Badge tone="bad">{t('keys.revoked')}</Badge>}
        </>
      }
      actions={!isRevoked && <KeyActions apiKey={data} showValue={setValue} />}
    >
      {isRevoked && <Notice tone="bad">{t('keys.gone')}</Notice>}
      {value !== undefined && !isRevoked && (
        <Panel title={t('keys.newValue')}>
          <Notice tone="warn">{t('keys.once')}</Notice>
          <Once label={data.name} value={value} />
        </Panel>
      )}
      <Panel>
        <KeyFacts apiKey={data} />
      </Panel>
    </Page>
  );
}
