import { Link } from '@tanstack/react-router';
import { t } from '../texts/t.ts';
import { Empty } from '../ui/empty.tsx';

/** Instead of a page that the member's role does not have. */
export const NotAllowed = () => (
  <Empty icon="warning" title={t('notAllowed.title')} action={<Link to="/app">{t('notFound.back')}</Link>}>
    {t('notAllowed.text')}
  </Empty>
);
