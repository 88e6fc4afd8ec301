import { Link } from '@tanstack/react-router';
import { isMovingJob } from '../../documents/jobs.ts';
import { submissionsAddress, useSubmissions } from '../../documents/submissions.ts';
import { t } from '../../texts/t.ts';
import { Notice } from '../../ui/notice.tsx';

/** Says that invoices are being submitted, and how far that is. */
export function MovingSubmissions() {
  const { data } = useSubmissions(1);
  const moving = data?.data.filter(isMovingJob) ?? [];
  if (moving.length === 0) return null;
  const sum = (of: 'done' | 'total'): number => moving.reduce((all, job) => all + job[of], 0);
  return (
    <Notice
      tone="info"
      title={t('bulk.moving', { done: sum('done'), total: sum('total') })}
      action={<Link to={submissionsAddress}>{t('bulk.toQueue')}</Link>}
    />
  );
}
