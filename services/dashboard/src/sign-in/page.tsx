import { useState } from 'react';
import type { Resource } from '../api/types.ts';
import { dropLinkToken, linkToken } from '../session/link-token.ts';
import { type Me, type Session, setSession, useSession } from '../session/session.ts';
import { Begin } from './begin.tsx';
import { EnterCode } from './enter-code.tsx';
import { SetPassword } from './set-password.tsx';
import { SetTotp } from './set-totp.tsx';
import { SpendLink } from './spend-link.tsx';
import { Frame } from './frame.tsx';

/** From a link or nothing to a complete session: each step shows until what it ends is done. */
export default function SignInPage({ session, done }: { session: Session; done: () => void }) {
  const [token, setToken] = useState(linkToken);
  const { refetch } = useSession();

  const drop = (): void => {
    dropLinkToken();
    setToken(undefined);
  };
  const next = async (answer?: Resource<'Session'>): Promise<void> => {
    drop();
    if (answer?.must_enter_code) return setSession({ state: 'code' });
    const { data } = await refetch();
    if (data?.state === 'in' && !lacks(data.me)) done();
  };

  return (
    <Frame>
      <Step session={session} token={token} next={next} giveUp={drop} />
    </Frame>
  );
}

/** Whether the session is not complete. */
const lacks = (me: Me): boolean => me.must_set_password || me.must_set_totp;

interface StepProps {
  session: Session;
  token: string | undefined;
  next: (answer?: Resource<'Session'>) => Promise<void>;
  giveUp: () => void;
}

function Step({ session, token, next, giveUp }: StepProps) {
  if (token !== undefined) return <SpendLink token={token} next={next} giveUp={giveUp} />;
  if (session.state === 'code') return <EnterCode next={next} />;
  if (session.state === 'out') return <Begin hasEnded={session.hasEnded} next={next} />;
  if (session.me.must_set_password) return <SetPassword me={session.me} next={next} />;
  return <SetTotp next={next} />;
}
