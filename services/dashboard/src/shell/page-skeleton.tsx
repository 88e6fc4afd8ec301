import { Skeleton } from '@mantine/core';
import { t } from '../texts/t.ts';

/** A page while its code or its first answer comes. */
export const PageSkeleton = () => (
  <div role="status" aria-label={t('list.loading')}>
    <Skeleton height={24} width={180} mb={28} />
    <Skeleton height={220} radius="md" />
  </div>
);
