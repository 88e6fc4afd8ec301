import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { shown } from '../api/shown.ts';
import { linkToken } from '../session/link-token.ts';
import { type Me, type Session, useSession } from '../session/session.ts';
import { Failure } from '../ui/failure.tsx';
import { pageQueries } from './page-queries.ts';
import { router } from './router.ts';

const SignIn = lazy(() => import('../sign-in/page.tsx'));

/** The pages, for who is signed in; else the way in. The address stays, so that signing in leads to the page that was asked for. */
export function Gate() {
  const { data, error, refetch } = useSession();
  const [isLinkOpen, setLinkOpen] = useState(() => linkToken() !== undefined);
  if (!data) return error ? <Failure error={error} again={() => void refetch()} /> : null;
  if (isComplete(data) && !isLinkOpen) return <Pages key={`${data.me.session_id} ${data.me.member.id}`} />;
  return (
    <Suspense fallback={null}>
      <SignIn session={data} done={() => setLinkOpen(false)} />
    </Suspense>
  );
}

const isComplete = (session: Session): session is { state: 'in'; me: Me } =>
  session.state === 'in' && !session.me.must_set_password && !session.me.must_set_totp;

/** The pages as one member in one session sees them: what was read for another, and what still comes for them, is not in this cache. */
function Pages() {
  const [queries] = useState(pageQueries);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** A page of another member's account is not opened in this one, and nothing is live until it is chosen. */
let last: string | undefined;
shown.whenChanged((now) => {
  if (now === undefined) return;
  if (last !== undefined && last !== now.member) void router.navigate({ to: '/app', search: { live: undefined }, replace: true });
  last = now.member;
});
