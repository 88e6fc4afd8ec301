import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { setupQuery } from '../../session/setup.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Says that live documents cannot be issued yet, where that is so. */
export function SetupNotice() {
  const { data, error, refetch } = useQuery(setupQuery);
  if (error) return <Failure error={error} again={() => void refetch()} />;
  if (!data || data.live.ready) return null;
  const open = data.live.steps.filter(({ done }) => !done).length;
  return (
    <Notice tone="info" title={t('today.notReady')} action={<Link to="/app/go-live">{t('today.goLive')}</Link>}>
      {t('today.notReadyText', { count: open })}
    </Notice>
  );
}
