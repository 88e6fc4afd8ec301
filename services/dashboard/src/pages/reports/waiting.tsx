import { ApiError } from '@svc/client/console';
import { t } from '../../texts/t.ts';
import { Notice } from '../../ui/notice.tsx';

/** That a report waits for the limit of reports, and comes by itself. `reason`: why it was not read yet. */
export const Waiting = ({ reason }: { reason: Error | null }) =>
  reason instanceof ApiError && reason.status === 429 ? (
    <Notice tone="info" title={t('reports.limit')}>
      {t('reports.limitAbout', { seconds: reason.retryAfter ?? 60 })}
    </Notice>
  ) : null;
