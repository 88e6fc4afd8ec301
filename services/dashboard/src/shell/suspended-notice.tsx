import { useMe } from '../session/session.ts';
import { t } from '../texts/t.ts';
import { Notice } from '../ui/notice.tsx';

/** Members of a suspended account see why nothing else works. */
export function SuspendedNotice() {
  const { account } = useMe();
  return account.suspended ? (
    <Notice tone="bad" title={t('suspended.title')}>
      {t('suspended.text')}
    </Notice>
  ) : null;
}
