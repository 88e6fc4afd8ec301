import type { ReadBarrier } from '@svc/event-store/subscription/read-barrier';
import type { FastifyReply } from 'fastify';

const HEADER = 'svc-as-of';

/**
 * Waits for the read model of a list, and says of when it is where it lacks the newest changes, since the disk is full. A list that has to wait does so without the permit of its page:
 * those of one read model that stands still, as after a kill, would have the permits of all others, and be made four at a time afterwards.
 */
export async function untilShown(reply: FastifyReply | undefined, readModel: Pick<ReadBarrier, 'asOf'>): Promise<void> {
  showAsOf(reply, await readModel.asOf(() => reply?.request.releasePermit()));
  await reply?.request.takePagePermit();
}

/** `at`: ISO 8601. The earliest of several stands. */
function showAsOf(reply: Pick<FastifyReply, 'header' | 'getHeader'> | undefined, at: string | undefined): void {
  if (!reply || at === undefined) return;
  const said = reply.getHeader(HEADER);
  if (said === undefined || String(said) > at) reply.header(HEADER, at);
}
