import { Link } from '@tanstack/react-router';
import { t } from '../texts/t.ts';
import { Empty } from '../ui/empty.tsx';

export const NotFound = () => (
  <Empty icon="search" title={t('notFound.title')} action={<Link to="/app">{t('notFound.back')}</Link>}>
    {t('notFound.text')}
  </Empty>
);
