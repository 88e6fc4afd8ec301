import { createHash } from 'node:crypto';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { Collection, Doc, DocumentStore, Index } from '@svc/document-store';

/**
 * Why an event is a dead letter. `failed`: its handler threw on every try. `broken_envelope`: not a valid event. `unknown_type`: this
 * release does not know its type, or a type in a stream that it concerns; it waits for a release that does. `refused`: the bus does not
 * accept the event, and its publisher keeps it.
 */
export const deadLetterReasons = ['failed', 'broken_envelope', 'unknown_type', 'refused'] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/** An `EventPosition`, `at` in decimal text. The end of its part is not stored: it holds only for the time of reading. */
export interface KeptPosition {
  part: string;
  at: string;
}

/** An event that a group could not handle or a publisher could not publish, or a message that was no event. */
export interface DeadLetter extends Doc {
  /** The consumer group, or `<service>.publishing`. */
  group: string;
  topic: string;
  /** The customer whose personal data `event` holds, by which an erasure finds the dead letter; null: none. */
  subject: string | null;
  /** As received. */
  event: unknown;
  /** Of the last try. */
  error: string;
  /** Where the bus read it: `embedded:<topic>`, `kafka:<topic>[<partition>]@<offset>`. */
  origin: string;
  /** ISO 8601. */
  at: string;
  reason: DeadLetterReason;
  event_type: string | null;
  event_subject: string | null;
  /** Of its event, `<env>.<account>`; null: it is no event. Absent in those of release 0.1.0. until 0.3 */
  tenant?: string | null;
  /** The `time` of its event, ISO 8601; null: it is no event. Of several events that a publisher skips: the earliest. Absent as `tenant` is. until 0.3 */
  event_time?: string | null;
  /** The position in its subject's order: the event's sequence. */
  order: number;
  /** Names the queue of waiting dead letters of its subject (`lineOf`); null: the dead letter does not wait, and no later event waits for it. */
  line: string | null;
  /** Its position on the bus; null where the publisher gave none. */
  position: KeptPosition | null;
  /** Milliseconds since 1970 until which a process works on it; 0: none does. */
  held_until: number;
}

/** A dead letter's `_id`: an event that arrives again and fails again is the same dead letter. A message without an id is identified by a digest. */
export function deadLetterId(group: string, event: unknown): string {
  const id = (event as { id?: unknown } | null | undefined)?.id;
  if (typeof id === 'string' && id.length > 0 && id.length <= 300) return `${group}:${id}`;
  return `${group}:sha256:${createHash('sha256')
    .update(JSON.stringify(event) ?? 'undefined')
    .digest('hex')}`;
}

/** Events of customers hold personal data of their subject; all others hold legal documents or ids only. */
export function deadLetterSubject(topic: string, event: unknown): string | null {
  const subject = (event as { subject?: unknown } | null | undefined)?.subject;
  return topic === topics.customer && typeof subject === 'string' ? subject : null;
}

/** The order of one subject on one topic. */
export const lineOf = (topic: string, subject: string): string => `${topic} ${subject}`;

/** Whether a group has dead letters at all: cheaper than to look for those of many subjects, and nearly always all that is asked. */
export async function hasAny(deadLetters: Collection<DeadLetter>): Promise<boolean> {
  for await (const _ of deadLetters.find({}, { limit: 1 })) return true;
  return false;
}

/** The fields that dead letters are found by, read from an event of any shape. */
export function foundBy(event: unknown): Pick<DeadLetter, 'event_type' | 'event_subject' | 'tenant' | 'event_time' | 'order'> {
  const { type, subject, env, account, time, sequence } = (event ?? {}) as { [Field in keyof PublicEvent]?: unknown };
  const text = (value: unknown): string | null => (typeof value === 'string' && value.length <= 300 ? value : null);
  const [inEnv, ofAccount] = [text(env), text(account)];
  return {
    ...{ event_type: text(type), event_subject: text(subject), event_time: text(time) },
    tenant: inEnv === null || ofAccount === null ? null : tenantOf({ env: inEnv, account: ofAccount }),
    order: Number.isSafeInteger(sequence) ? (sequence as number) : 0,
  };
}

/** Whose event it is, `<env>.<account>`; null: no tenant's, since it is no event. */
export const tenantIn = ({ tenant, event }: Pick<DeadLetter, 'tenant' | 'event'>): string | null =>
  tenant === undefined ? (foundBy(event).tenant ?? null) : tenant; // until 0.3

/** As dead letters name it. */
export const tenantOf = ({ env, account }: { env: string; account: string }): string => `${env}.${account}`;

export type DeadLetters = (group: string) => Collection<DeadLetter>;

const indexes: Index[] = [
  { fields: ['subject'] },
  { fields: ['reason', '_id'] },
  { fields: ['reason', 'at'] },
  { fields: ['event_type', '_id'] },
  { fields: ['event_subject', 'order'] },
  { fields: ['line', 'order'] },
  { fields: ['tenant', 'event_time', '_id'], present: 'tenant' },
];

/** The dead letters of each group, in a collection of its own: `<group>_dead_letters`. */
export function documentDeadLetters(documents: DocumentStore): DeadLetters {
  const opened = new Map<string, Collection<DeadLetter>>();
  return (group) => {
    const name = `${group.replaceAll(/\W/g, '_')}_dead_letters`;
    const deadLetters = opened.get(group) ?? documents.collection<DeadLetter>(name, { indexes });
    opened.set(group, deadLetters);
    return deadLetters;
  };
}
