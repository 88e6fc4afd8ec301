import { useMe } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { PasswordForm } from './password-form.tsx';
import { PersonForm } from './person-form.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactors } from './two-factors.tsx';

/** The signed-in person, in every account of theirs. */
export default function ProfilePage() {
  const { user } = useMe();
  return (
    <Page title={t('nav.profile')} about={t('profile.about')}>
      <PersonForm user={user} />
      <PasswordForm user={user} />
      <TwoFactors user={user} />
      <Sessions />
    </Page>
  );
}
