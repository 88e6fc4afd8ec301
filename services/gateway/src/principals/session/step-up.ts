import { asksStepUp } from '@svc/contracts/console/step-up';
import type { DomainError } from '@svc/kernel';
import type { AnyRouteName } from '../../routing/route-table.ts';
import type { Principal } from '../principal.ts';
import { isStepped, type SessionTerms } from '../../sessions/session.ts';
import { stepUpRequired } from './refusals.ts';

interface Asked {
  principal: Principal;
  route: { name: AnyRouteName } | undefined;
}

/** Of a request under `/console/v1` whose permission is judged: why it needs password or code again. `now`: milliseconds since 1970. */
export function lacksStepUp({ principal, route }: Asked, body: unknown, terms: SessionTerms, now: number): DomainError | undefined {
  const { session: view, env } = principal;
  if (view === null || env !== 'live' || isStepped(view.session, terms, now)) return undefined;
  return asksStepUp(route?.name, body) ? stepUpRequired() : undefined;
}
