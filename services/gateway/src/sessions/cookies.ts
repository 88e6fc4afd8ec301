import type { FastifyReply, FastifyRequest } from 'fastify';

const MOST_BYTES = 8 * 1024;
const KNOWN_FOR_S = 90 * 86_400;

/** The dashboard's two cookies: of the session, and of a browser in which a user has signed in before. */
export interface Cookies {
  session(request: FastifyRequest): string | undefined;
  browser(request: FastifyRequest): string | undefined;
  setSession(reply: FastifyReply, value: string): void;
  clearSession(reply: FastifyReply): void;
  setBrowser(reply: FastifyReply, value: string): void;
}

/** Behind https they are `Secure`, and named so that no page without it can set them. Hosts below the same domain can: a sign-in takes none of their values over. */
export function createCookies(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const [prefix, attributes] = [isSecure ? '__Secure-' : '', `HttpOnly; SameSite=Strict; Path=/console${isSecure ? '; Secure' : ''}`];
  const [session, browser] = [`${prefix}svc_session`, `${prefix}svc_browser`];
  const set = (reply: FastifyReply, line: string): void => {
    const before = reply.getHeader('set-cookie') as string[] | undefined;
    reply.removeHeader('set-cookie').header('set-cookie', [...(before ?? []), line]);
  };
  return {
    session: (request) => cookieOf(request, session),
    browser: (request) => cookieOf(request, browser),
    setSession: (reply, value) => set(reply, `${session}=${value}; ${attributes}`),
    clearSession: (reply) => set(reply, `${session}=; ${attributes}; Max-Age=0`),
    setBrowser: (reply, value) => set(reply, `${browser}=${value}; ${attributes}; Max-Age=${KNOWN_FOR_S}`),
  };
}

/** The value of the first cookie of this name (RFC 6265, 4.2.1). */
function cookieOf({ headers: { cookie = '' } }: FastifyRequest, name: string): string | undefined {
  if (cookie.length > MOST_BYTES) return undefined;
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
