import { roleTable } from '@svc/contracts/console/roles';
import { alwaysAsksStepUp } from '@svc/contracts/console/step-up';
import { type ConsoleRoute, type ConsoleRouteName, consoleRoutes } from '@svc/contracts/console/routes';
import type { Clock, DomainError, Env } from '@svc/kernel';
import { permits } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import type { RouteEntry } from '../../routing/route-table.ts';
import type { Cookies } from '../../sessions/cookies.ts';
import { isStepped, type SessionTerms } from '../../sessions/session.ts';
import type { Principal } from '../principal.ts';
import type { Resolver } from '../resolver.ts';
import { principalOf } from './principal-of-session.ts';
import type { SessionRecognizer } from './recognize-session.ts';
import {
  forAdministrators,
  livemodeRequired,
  originNotAllowed,
  roleLacks,
  sessionChanged,
  sessionIncomplete,
  stepUpRequired,
} from './refusals.ts';
import { isLoopback, isOfHost } from '../../pages/own-host.ts';
import { invalidSession } from '../../sessions/invalid-session.ts';
import { lackOf, type SessionView } from '../../sessions/session-view.ts';

export interface SessionResolverOptions {
  sessions: SessionRecognizer;
  cookies: Cookies;
  terms: SessionTerms;
  publicUrl: string;
  clock: Pick<Clock, 'now'>;
  addressOf(request: FastifyRequest): string;
}

/** The member whose session the cookie names. Writes need the dashboard's own Origin, so that no other page can make a browser send one. */
export function sessionResolver(options: SessionResolverOptions): Resolver {
  const { sessions, cookies, publicUrl, addressOf } = options;
  const principalIn = (request: FastifyRequest, view: SessionView | null): Principal | null =>
    view && principalOf(view, envIn(request) ?? 'live', addressOf(request));
  const usedBy = (request: FastifyRequest, view: SessionView | null): Principal | null => {
    if (view !== null && !isUnattended(request)) sessions.noteUse(view);
    return principalIn(request, view);
  };

  return {
    resolve(request) {
      const token = cookies.session(request);
      if (token === undefined) return null;
      const found = sessions.recognize(token);
      return found instanceof Promise ? found.then((view) => usedBy(request, view)) : usedBy(request, found);
    },
    async lookAgain(request) {
      return principalIn(request, await sessions.lookAgain(cookies.session(request) ?? ''));
    },
    refusal: () => ({ error: invalidSession() }),
    refuses: (request) => refusedOrigin(request, publicUrl),
    forbids: (request, principal, route) => forbidden(request, principal, route, options),
  };
}

/** Undefined on the dashboard's own host and on this machine, for a read and for a write of its own pages. */
export function refusedOrigin({ method, headers }: FastifyRequest, publicUrl: string): DomainError | undefined {
  const { host = '', origin } = headers;
  const isHere = isOfHost(publicUrl, host) || isLoopback(host);
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return isHere && (isRead || origin === publicUrl) ? undefined : originNotAllowed(publicUrl);
}

/** The environment that X-Livemode names; undefined: none. */
function envIn({ headers }: FastifyRequest): Env | undefined {
  const said = headers['x-livemode'];
  return said === 'true' ? 'live' : said === 'false' ? 'test' : undefined;
}

/** A page asks again by itself without a person before it: that keeps no session open. A write is always a person's. */
const isUnattended = ({ method, headers }: FastifyRequest): boolean => method === 'GET' && headers['x-unattended'] === 'true';

/** A page says whom it shows: another of the same browser may have signed in as someone else, or chosen another account. */
const isOfAnother = ({ headers }: FastifyRequest, { member }: SessionView): boolean =>
  headers['x-member'] !== undefined && headers['x-member'] !== member._id;

function forbidden(
  request: FastifyRequest,
  principal: Principal,
  { name, route }: RouteEntry,
  options: SessionResolverOptions,
): DomainError | undefined {
  const view = principal.session as SessionView;
  if (isOfAnother(request, view)) return sessionChanged();
  const own = Object.hasOwn(consoleRoutes, name) ? consoleRoutes[name as ConsoleRouteName] : undefined;
  const lack = lackOf(view);
  if (lack !== undefined && !own?.incomplete?.includes(lack)) return sessionIncomplete(lack);
  if (principal.suspended && !own?.suspended) return undefined; // the edge refuses it
  if ((own === undefined || own.livemode) && envIn(request) === undefined) return livemodeRequired();
  if (own) return forbiddenHere(own, principal, view, options);
  const { permission } = route;
  if (permission !== null && !permits(principal.permissions, permission)) return roleLacks(permission);
  const asks = principal.env === 'live' && alwaysAsksStepUp(name);
  return asks && !isStepped(view.session, options.terms, options.clock.now()) ? stepUpRequired() : undefined;
}

function forbiddenHere(
  { may, stepUp }: ConsoleRoute,
  principal: Principal,
  view: SessionView,
  options: SessionResolverOptions,
): DomainError | undefined {
  if (may === 'administrators' && !roleTable[view.member.role].administers) return forAdministrators();
  const isPermission = may !== 'anyone' && may !== 'member' && may !== 'administrators';
  if (isPermission && !permits(principal.permissions, may)) return roleLacks(may);
  return stepUp && !isStepped(view.session, options.terms, options.clock.now()) ? stepUpRequired() : undefined;
}
