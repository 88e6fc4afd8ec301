import { Link } from '@tanstack/react-router';
import { useCan } from '../session/session.ts';
import { type Key, t } from '../texts/t.ts';
import { forPeople } from '../texts/for-people.ts';
import { Notice } from '../ui/notice.tsx';
import { type Document, isMoving } from './documents.ts';
import { Warnings } from './warnings.tsx';

/** Why a document is not where it should be, and what to do next. */
export function Notices({ document }: { document: Document }) {
  const { fiscal, status, void: voided } = document;
  const error = fiscal?.error;
  const isRejected = fiscal?.status === 'rejected' && status !== 'voided';
  return (
    <>
      {isRejected && (
        <Notice tone="bad" title={t('notice.rejected')}>
          {error && (
            <p>
              <bdi>{error.message}</bdi> (<bdi>{error.code}</bdi>)
            </p>
          )}
          {t(nextOf(document))} <Place fixable={error?.fixable} />
        </Notice>
      )}
      {fiscal?.status === 'needs_review' && (
        <Notice tone="bad" title={t('notice.review')}>
          {error && (
            <p>
              <bdi>{error.message}</bdi>
            </p>
          )}
          {t('notice.reviewText')}
        </Notice>
      )}
      {isMoving(document) && fiscal?.status !== 'needs_review' && (
        <Notice tone="info" title={t(status === 'voiding' ? 'notice.voiding' : 'notice.moving')}>
          {movingText(document)} {fiscal?.status === 'pending' && <Place fixable={error?.fixable} />}
        </Notice>
      )}
      {fiscal?.next?.operation === 'credit_note' && <Notice tone="warn">{t('notice.next.credit_note')}</Notice>}
      {fiscal?.warnings?.map(({ code, message }) => (
        <Notice key={code} tone="warn" title={t('notice.warned')}>
          <bdi>{message}</bdi> (<bdi>{code}</bdi>)
        </Notice>
      ))}
      {voided?.error && (
        <Notice tone="bad" title={t('notice.voidRefused')}>
          <bdi>{voided.error.message}</bdi> (<bdi>{voided.error.code}</bdi>)
        </Notice>
      )}
      {'warnings' in document && <Warnings warnings={document.warnings ?? []} customer={document.customer_id} />}
    </>
  );
}

/** What follows a rejection. A receipt is frozen: its data cannot be mended. */
function nextOf({ fiscal, object }: Document): Key {
  if (fiscal?.next?.operation === 'manual_upload') return 'notice.next.manual_upload';
  if (fiscal?.error?.code === 'deadline_passed') return 'notice.next.late';
  const fixable = fiscal?.error?.fixable;
  if (fixable === 'credentials' || fixable === 'setup') return `notice.fix.${fixable}`;
  return object === 'receipt' ? 'notice.fix.receipt' : 'notice.fix.data';
}

/** Why it is not registered yet, and what it waits for: what of the issuer is to be mended, or nothing. */
function movingText({ fiscal }: Document): string {
  const error = fiscal?.error;
  if (!error) return t('notice.movingText');
  const message = forPeople(error.message);
  const { fixable } = error;
  const waits = fiscal.status === 'pending' && (fixable === 'credentials' || fixable === 'setup');
  return waits ? `${message} ${t(`notice.waits.${fixable}`)}` : t('notice.delayed', { error: message });
}

const places = { credentials: '/app/settings/authority', setup: '/app/settings/issuer' } as const;

/** The page on which it is fixed, for who may change it. */
function Place({ fixable }: { fixable: string | null | undefined }) {
  const can = useCan();
  if ((fixable !== 'credentials' && fixable !== 'setup') || !can('settings:write')) return null;
  return <Link to={places[fixable]}>{t(`notice.to.${fixable}`)}</Link>;
}
