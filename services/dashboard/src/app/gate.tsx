import { RouterProvider } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { linkToken } from '../session/link-token.ts';
import { type Session, sessionQuery } from '../session/session.ts';
import { Failure } from '../ui/failure.tsx';
import { router } from './router.ts';

const SignIn = lazy(() => import('../sign-in/page.tsx'));

/** The pages, for who is signed in; else the way in. The address stays, so that signing in leads to the page that was asked for. */
export function Gate() {
  const { data, error, refetch } = useQuery(sessionQuery);
  const [isLinkOpen, setLinkOpen] = useState(() => linkToken() !== undefined);
  if (!data) return error ? <Failure error={error} again={() => void refetch()} /> : null;
  if (isComplete(data) && !isLinkOpen) return <RouterProvider router={router} />;
  return (
    <Suspense fallback={null}>
      <SignIn session={data} done={() => setLinkOpen(false)} />
    </Suspense>
  );
}

const isComplete = (session: Session): boolean => session.state === 'in' && !session.me.must_set_password && !session.me.must_set_totp;
