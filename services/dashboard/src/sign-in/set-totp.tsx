import { t } from '../texts/t.ts';
import { TotpSetup } from '../session/totp-setup.tsx';
import { StepTitle } from './frame.tsx';
import { SignOut } from './sign-out.tsx';

/** For an account that demands two factors. */
export const SetTotp = ({ next }: { next: () => Promise<void> }) => (
  <>
    <StepTitle title={t('totp.demanded')}>{t('totp.demandedAbout')}</StepTitle>
    <TotpSetup done={() => void next()} />
    <SignOut />
  </>
);
