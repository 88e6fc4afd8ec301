import type { FastifyReply } from 'fastify';

const HEADER = 'svc-as-of';

/** Says of when a list is that lacks the newest changes, since the disk is full. `at`: ISO 8601. The earliest of several stands. */
export function showAsOf(reply: Pick<FastifyReply, 'header' | 'getHeader'> | undefined, at: string | undefined): void {
  if (!reply || at === undefined) return;
  const said = reply.getHeader(HEADER);
  if (said === undefined || String(said) > at) reply.header(HEADER, at);
}
