import { type Key, t } from '../texts/t.ts';
import { Notice } from '../ui/notice.tsx';
import { type Document, isMoving } from './documents.ts';

/** Steps that follow from no status and no error. */
const otherSteps: Partial<Record<string, Key>> = { manual_upload: 'notice.next.manual_upload', credit_note: 'notice.next.credit_note' };

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
              <bdi>{error.message}</bdi> ({error.code})
            </p>
          )}
          {nextOf(document)}
        </Notice>
      )}
      {fiscal?.status === 'needs_review' && (
        <Notice tone="bad" title={t('notice.review')}>
          {error && <p>{error.message}</p>}
          {t('notice.reviewText')}
        </Notice>
      )}
      {isMoving(document) && fiscal?.status !== 'needs_review' && (
        <Notice tone="info" title={t(status === 'voiding' ? 'notice.voiding' : 'notice.moving')}>
          {error ? t('notice.delayed', { error: error.message }) : t('notice.movingText')}
        </Notice>
      )}
      {fiscal?.next && fiscal.next.operation in otherSteps && <Notice tone="warn">{t(otherSteps[fiscal.next.operation] as Key)}</Notice>}
      {fiscal?.warnings?.map(({ code, message }) => (
        <Notice key={code} tone="warn" title={t('notice.warned')}>
          <bdi>{message}</bdi> ({code})
        </Notice>
      ))}
      {voided?.error && (
        <Notice tone="bad" title={t('notice.voidRefused')}>
          <bdi>{voided.error.message}</bdi> ({voided.error.code})
        </Notice>
      )}
      {'warnings' in document &&
        document.warnings?.map(({ field, code, message }) => (
          <Notice key={`${field} ${code}`} tone="warn">
            {message}
          </Notice>
        ))}
    </>
  );
}

/** What a rejected document waits for. A receipt is frozen: its data cannot be mended. */
function nextOf({ fiscal, object }: Document): string | undefined {
  const fixable = fiscal?.error?.fixable;
  if (fixable === 'credentials' || fixable === 'setup') return t(`notice.fix.${fixable}`);
  return t(object === 'receipt' ? 'notice.fix.receipt' : 'notice.fix.data');
}
