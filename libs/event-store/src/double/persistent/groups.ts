import { randomUUID } from 'node:crypto';
import type { Clock } from '@svc/kernel';
import type { EventLog } from '../log/event-log.ts';
import { EXPECT } from '../log/verdict.ts';
import type { GroupConfig } from './config.ts';
import { Group } from './group.ts';

const CONFIG_STREAM = '$persistentSubscriptionConfig';
const CONFIG_TYPE = '$PersistentConfig1';

/** All groups of the server, as its configuration stream has them. */
export class Groups {
  private readonly groups = new Map<string, Group>();

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {
    const saved = log.stream(CONFIG_STREAM)?.events.at(-1);
    if (saved === undefined) return;
    const { entries } = JSON.parse(Buffer.from(log.event(saved).data).toString()) as { entries: GroupConfig[] };
    for (const config of entries) this.groups.set(key(config.source, config.group), new Group(log, clock, config));
  }

  get(source: string, group: string): Group | undefined {
    return this.groups.get(key(source, group));
  }

  create(config: GroupConfig, done: () => void): void {
    this.groups.set(key(config.source, config.group), new Group(this.log, this.clock, config));
    this.save(done);
  }

  delete(group: Group, done: () => void): void {
    this.groups.delete(key(group.config.source, group.config.group));
    group.drop();
    this.save(done);
  }

  stop(): void {
    for (const group of this.groups.values()) group.stop();
  }

  private save(done: () => void): void {
    const data = Buffer.from(JSON.stringify({ version: '2', entries: [...this.groups.values()].map(({ config }) => config) }));
    this.log.append(
      CONFIG_STREAM,
      EXPECT.any,
      [{ id: randomUUID(), type: CONFIG_TYPE, json: true, metadata: Buffer.alloc(0), data }],
      done,
    );
  }
}

const key = (source: string, group: string): string => `${source}::${group}`;
