import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** All that a service may know of the caller's headers. What says who asks is not among them: that is the gateway's to say. */
const PASSED_ON = ['accept', 'accept-language', 'content-type', 'if-match', 'prefer', 'user-agent'] as const;

/** Of an answer: what belongs to the one connection (RFC 9110, 7.6.1), and its date, which the gateway's own server says. */
const KEPT_BACK = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  'date',
]);

/** What goes to the upstream beside `token`, which says who asks. */
export function headersTo({ headers }: FastifyRequest, token: string, traceparent: string | undefined): Record<string, string> {
  const passed: Record<string, string> = { [IDENTITY_HEADER]: token };
  for (const name of PASSED_ON) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  if (traceparent !== undefined) passed['traceparent'] = traceparent;
  return passed;
}

/** Puts the upstream's headers on the answer. What the edge has put there stays. */
export function showHeaders(reply: FastifyReply, headers: IncomingHttpHeaders): void {
  for (const name in headers) if (!KEPT_BACK.has(name) && !reply.hasHeader(name)) reply.header(name, headers[name]);
}
