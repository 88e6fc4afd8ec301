import { dayIn, DomainError, streamOf, uidOf } from '@svc/kernel';
import type { Call } from '../document/documents.ts';

/**
 * Who may void none but its own receipts of today voids no other: the actor of the first event decides, and the day in the issuer's time zone. Throws
 * insufficient_permissions. A receipt that is not there is refused where it is voided.
 */
export async function checkVoidOwn({ context, identity }: Call, id: string): Promise<void> {
  const { account, env, permissions, actor } = identity;
  if (permissions.includes('*') || permissions.includes('receipts:void') || uidOf('rcp', id) === undefined) return;
  const [first] = await context.store.read(streamOf('receipt', env, account, id), 0n, 1);
  if (!first) return;
  const { time_zone: zone } = await context.issuers.of(account, env);
  const by = first.metadata.actor;
  const isOwn = by?.type === actor.type && by.id === actor.id;
  if (!isOwn || dayIn(zone, first.recordedAt) !== dayIn(zone, context.clock.now()))
    throw new DomainError('insufficient_permissions', 'Only your own receipts of today are yours to void. Ask who may void receipts.');
}
