import { SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import type { EventBus } from '@svc/event-bus';
import { type Clock, DomainError, type Env, type Ids } from '@svc/kernel';
import { entryOf } from '../settings/audited.ts';
import { settingEvent } from '../settings/publish-changes.ts';

export interface AuditContext {
  bus: Pick<EventBus, 'publish'>;
  /** The service. */
  source: string;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
}

/** What is no event of the product may name anything. */
const TENANT = /^(live|test)\.(acct_[0-9a-z]{1,64})$/;

/**
 * Has the audit of each account say how many dead letters of a group an operator drops. To be called before they are: whatever ends the process, the audit has it, at
 * worst with what was not done after all. `counts`: by tenant, `<env>.<account>`. Throws `service_unavailable` where the bus does not take it.
 */
export async function auditDropped(
  { bus, source, clock, ids }: AuditContext,
  group: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const events = [...counts].flatMap(([tenant, count]) => {
    const [, env, account] = TENANT.exec(tenant) ?? [];
    if (env === undefined || account === undefined) return [];
    const change = {
      type: 'dead_letters',
      verb: 'dropped',
      target: { id: null, name: group },
      changes: { count: { from: null, to: count } },
    } as const;
    const entry = entryOf({ actor: { type: 'system', id: 'operator' }, ...change }, ids.next(), clock.now());
    return [settingEvent({ account, env: env as Env }, source, entry)];
  });
  if (events.length === 0) return;
  await bus.publish(SettingChangedV1.topic, events).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new DomainError(
      'service_unavailable',
      `The audit cannot record it, so that the rest stays: ${why} Repeat the request.`,
      undefined,
      5,
    );
  });
}
