import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type SettingChange, SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import { type PublicEvent, topics } from '@svc/contracts/events/envelope';
import { Consumes } from '@svc/event-bus';
import { millisOf } from '@svc/kernel';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { countEntries } from './count-bytes.ts';
import type { AuditEntry } from './entry.ts';

const DAY_MS = 86_400_000;

/** Keeps the changes of settings that all services publish. The id of a change is its natural key. */
@Controller()
export class SettingChanges {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Consumes({ group: 'gateway-audit', topic: topics.setting })
  async on(@Payload() events: PublicEvent[]): Promise<void> {
    await keepChanges(this.gateway, events);
  }
}

async function keepChanges({ audit, auditBytes, auditKeepDays: keepDays }: Gateway, events: readonly PublicEvent[]): Promise<void> {
  const entries = events
    .filter(({ type }) => type === SettingChangedV1.type)
    .map(({ account, data }): AuditEntry => {
      const change = data as SettingChange;
      return {
        ...{ _id: change.id, version: 1, account, actor_id: change.actor.id, action: change.action, target_id: change.target.id, change },
        due_at: millisOf(change.at) + keepDays * DAY_MS,
      };
    });
  if (entries.length === 0) return;
  const kept = await audit.write(entries.map((entry) => ({ insert: entry })));
  await countEntries(
    auditBytes,
    entries.filter(({ _id }) => kept.has(_id)),
    1,
  );
}
