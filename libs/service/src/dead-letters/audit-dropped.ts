import { SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import type { EventBus } from '@svc/event-bus';
import { type Clock, DomainError, type Env, type Ids } from '@svc/kernel';
import { entryOf } from '../settings/audited.ts';
import { settingEvent } from '../settings/publish-changes.ts';

export interface AuditContext {
  bus: Pick<EventBus, 'publish'>;
  /** The service. */
  source: string;
  clock: Pick<Clock, 'now' | 'sleep'>;
  ids: Ids;
}

/** Longer than an entry takes whose handler in this process throws on every try: the bus has it as a dead letter then. */
const WITHIN_MS = 10_000;

/** What is no event of the product may name anything. */
const TENANT = /^(live|test)\.(acct_[0-9a-z]{1,64})$/;

/**
 * Has the audit of each account say how many dead letters of a group an operator drops. To be called before they are: whatever ends the process, the audit has it, at
 * worst with what was not done after all. `counts`: by tenant, `<env>.<account>`. `dropped`: so many of the request are already. Throws `service_unavailable` where the
 * bus does not take it within ten seconds, as where the audit's handler in this process waits for a server.
 */
export async function auditDropped(
  { bus, source, clock, ids }: AuditContext,
  group: string,
  counts: ReadonlyMap<string, number>,
  dropped: number,
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
  const ended = new AbortController();
  const late = clock.sleep(WITHIN_MS, ended.signal).then(() => Promise.reject(new Error(LATE)));
  await Promise.race([bus.publish(SettingChangedV1.topic, events), late])
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const already = dropped === 0 ? '' : `${dropped} are dropped. `;
      throw new DomainError(
        'service_unavailable',
        `${already}The audit cannot record it, so that the rest stays: ${why} Repeat the request.`,
        undefined,
        5,
      );
    })
    .finally(() => ended.abort());
}

const LATE = `its consumer has not handled it within ${WITHIN_MS / 1_000} s. See the log for what the consumer waits for, and mend that.`;
