import type { IncomingHttpHeaders } from 'node:http';
import { CERTIFIED_HEADER } from '@svc/contracts/credentials/certified-header';
import { PROGRESS_HEADER } from '@svc/contracts/document/progress';
import { IDENTITY_HEADER, ORIGINAL_PATH_HEADER, SIGNS_HEADER, withoutWait } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The caller's headers that a service gets. Credentials and identities are not among them: the gateway adds its own identity. */
const PASSED_ON = ['accept', 'accept-language', 'content-type', 'if-match', 'prefer', 'user-agent'] as const;

/** Response headers that are not passed on: those of the connection (RFC 9110, 7.6.1), the date, which the gateway's server sets, and what is for the gateway alone. */
const KEPT_BACK = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  'date',
  ...[PROGRESS_HEADER, CERTIFIED_HEADER, SIGNS_HEADER],
]);

/** Headers of a request to an upstream. `token`: the caller's identity; undefined for a path that anyone may ask for. */
export function headersTo(
  { headers, originalUrl, raw }: FastifyRequest,
  token: string | undefined,
  traceparent: string | undefined,
): Record<string, string> {
  const passed: Record<string, string> = token === undefined ? {} : { [IDENTITY_HEADER]: token };
  for (const name of PASSED_ON) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  if (traceparent !== undefined) passed['traceparent'] = traceparent;
  if (token !== undefined && originalUrl !== raw.url) passed[ORIGINAL_PATH_HEADER] = originalUrl;
  return passed;
}

/** The same for a request that is not to wait for its outcome. */
export function headersAtOnce(...[request, ...rest]: Parameters<typeof headersTo>): Record<string, string> {
  const { prefer, ...headers } = headersTo(request, ...rest);
  const others = prefer === undefined ? undefined : withoutWait(prefer);
  return others === undefined ? headers : { ...headers, prefer: others };
}

/** Copies the upstream's headers to the reply. Headers that the edge has set stay. */
export function showHeaders(reply: FastifyReply, headers: IncomingHttpHeaders): void {
  for (const name in headers) if (!KEPT_BACK.has(name) && !reply.hasHeader(name)) reply.header(name, headers[name]);
}
