import { randomUUID } from 'node:crypto';
import type { Clock } from '@svc/kernel';
import { TOMBSTONE } from '../log/event-bytes.ts';
import type { Entry } from '../log/event-index.ts';
import type { EventLog } from '../log/event-log.ts';
import { EXPECT } from '../log/verdict.ts';
import { nameMatcher } from '../reading/filter.ts';
import { visible } from '../reading/visible.ts';
import { ALL, OWN_STREAMS, type GroupConfig } from './config.ts';

/** How far a group is: what it takes next, and from where it goes on after a restart. */
export class GroupProgress {
  private cursor: number;
  private readonly matches: (entry: Entry) => boolean;
  /** All events before this position are settled. */
  private settled = 0;
  private cancelSave: (() => void) | undefined;
  lastKnown: Entry | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly config: GroupConfig,
  ) {
    this.matches = matcher(log, config);
    this.cursor = firstOrdinal(log, config);
  }

  /** The next event of the group, which stays where it is. */
  next(): Entry | undefined {
    for (let entry = this.log.entry(this.cursor); entry !== undefined; entry = this.log.entry(this.cursor)) {
      if (this.matches(entry)) return entry;
      this.cursor += 1;
    }
    return undefined;
  }

  take(): Entry | undefined {
    const entry = this.next();
    if (entry === undefined) return undefined;
    this.cursor += 1;
    this.lastKnown = entry;
    return entry;
  }

  /** Notes that everything taken is settled but these ordinals, and saves that after a while. */
  done(open: number[]): void {
    this.settled = open.reduce((lowest, ordinal) => Math.min(lowest, ordinal), this.cursor);
    this.cancelSave ??= this.clock.after(this.config.checkpointAfterMs, () => {
      this.cancelSave = undefined;
      this.save();
    });
  }

  stop(): void {
    this.cancelSave?.();
  }

  private save(): void {
    const position = this.log.entry(this.settled)?.position ?? (this.log.entry(this.log.end() - 1)?.position ?? 0) + 1;
    const data = Buffer.from(JSON.stringify({ position }));
    const event = { id: randomUUID(), type: '$SubscriptionCheckpoint', json: true, metadata: Buffer.alloc(0), data };
    this.log.append(this.config.checkpoints, EXPECT.any, [event], () => undefined);
  }
}

function firstOrdinal(log: EventLog, config: GroupConfig): number {
  const saved = log.stream(config.checkpoints)?.events.at(-1);
  if (log.isReadable(saved)) {
    const { position } = JSON.parse(Buffer.from(log.event(saved).data).toString()) as { position: number };
    return log.ordinalAt(position);
  }
  if (config.source === ALL) return log.ordinalAt(config.start);
  const first = log.stream(config.source)?.events[config.start];
  return log.isReadable(first) ? first.ordinal : log.end();
}

function matcher(log: EventLog, config: GroupConfig): (entry: Entry) => boolean {
  if (config.source !== ALL) {
    const isHidden = ({ revision }: Entry): boolean => revision < (visible(log, config.source)?.first ?? Infinity);
    return (entry) =>
      entry.stream.name === config.source && entry.revision !== TOMBSTONE && entry.revision >= config.start && !isHidden(entry);
  }
  const matchesName = config.filter && nameMatcher(config.filter);
  return (entry) =>
    !OWN_STREAMS.test(entry.stream.name) && (matchesName?.(config.filter?.on === 'stream' ? entry.stream.name : entry.type) ?? true);
}
