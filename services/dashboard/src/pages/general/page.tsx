import { useAdministers } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { AccountForm } from './account-form.tsx';
import { Usage } from './usage.tsx';

/** The account: its name, what it asks of its members, its plan, and how much of each limit is used. */
export default function GeneralPage() {
  const administers = useAdministers();
  return (
    <Page title={t('nav.general')} about={t('general.about')}>
      {administers && <AccountForm />}
      <Usage />
    </Page>
  );
}
