import { presence } from './presence.ts';
import { shown } from './shown.ts';

/** Who is signed in is asked without them, and signing out is never refused. */
const OF_ANYONE = new Set(['GET /console/me', 'POST /console/session', 'DELETE /console/session']);

/** What a request says of its page: whom it shows, so that it never acts as another, and whether a person is before it. */
export function pageHeaders({ method, url }: Request): Record<string, string> {
  const member = OF_ANYONE.has(`${method} ${new URL(url).pathname}`) ? undefined : shown.now()?.member;
  return {
    ...(member !== undefined && { 'X-Member': member }),
    ...(method === 'GET' && !presence.isHere() && { 'X-Unattended': 'true' }),
  };
}
