import { showRelative, showTime } from '../../format/dates.ts';
import { t } from '../../texts/t.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Endpoint, healthOf } from './endpoints.ts';

/** Why events do not arrive, since when, and what happens next. Nothing where they do. */
export function HealthNotice({ endpoint }: { endpoint: Endpoint }) {
  const { health, disabled_reason: reason } = endpoint;
  const state = healthOf(endpoint);
  if (state === 'new')
    return (
      <Notice tone="info" title={t('hooks.isNew')}>
        {t('hooks.isNewText')}
      </Notice>
    );
  if (state === 'disabled')
    return (
      <Notice tone="bad" title={t('hooks.isDisabled')}>
        {reason && <p>{t(reason.startsWith('waits') ? 'hooks.waits' : 'hooks.reason', { reason })}</p>}
        <p>{t('hooks.isDisabledText')}</p>
      </Notice>
    );
  if (state !== 'failing') return null;
  const { failing_since: since, disabled_after: after, last_error: error } = health;
  return (
    <Notice
      tone="bad"
      title={since ? t('hooks.failingSince', { at: showTime(since), ago: showRelative(since) }) : t('hooks.health.failing')}
    >
      {error && <p>{t('hooks.lastError', { error })}</p>}
      {after && <p>{t('hooks.disabledAfter', { at: showTime(after) })}</p>}
    </Notice>
  );
}
