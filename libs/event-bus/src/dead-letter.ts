import { createHash } from 'node:crypto';
import { topics } from '@svc/contracts/events/envelope';
import type { Collection, Doc, DocumentStore, Index } from '@svc/document-store';

/**
 * Why an event is a dead letter. `failed`: its handler threw again and again. `broken_envelope`: it was no event. `unknown_type`: this
 * release does not know its type, or a type in a stream that it concerns; it waits for one that does. `refused`: the bus takes no such
 * event, and its publisher keeps it.
 */
export const deadLetterReasons = ['failed', 'broken_envelope', 'unknown_type', 'refused'] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/** An `EventPosition`, `at` in decimal text. Where its part ended holds for the time of reading alone. */
export interface KeptPosition {
  part: string;
  at: string;
}

/** An event that a group could not handle or a publisher could not publish, or that was none. */
export interface DeadLetter extends Doc {
  /** The consumer group, or `<service>.publishing`. */
  group: string;
  topic: string;
  /** The customer whose personal data `event` holds, by which erasing the customer finds it; null: nobody's. */
  subject: string | null;
  /** As it came. */
  event: unknown;
  /** Of the last try. */
  error: string;
  /** Where the bus had it from: `embedded:<topic>`, `kafka:<topic>[<partition>]@<offset>`. */
  origin: string;
  /** ISO 8601. */
  at: string;
  /** This and the fields below: null or absent in letters of older releases until `complete` has filled them in. */
  reason: DeadLetterReason;
  event_type: string | null;
  event_subject: string | null;
  /** The place in its subject's order: the event's sequence. */
  order: number;
  /** What it waits in line with, itself and all later ones of its subject (`lineOf`); null: nothing waits behind it. */
  line: string | null;
  /** Where it stands on the bus; null where nobody told. */
  position: KeptPosition | null;
  /** Milliseconds since 1970 until which a process is at work on it; 0: none. */
  held_until: number;
}

/** A dead letter's `_id`: an event that comes and fails again is the same letter. What has no id is known by its bytes. */
export function deadLetterId(group: string, event: unknown): string {
  const id = (event as { id?: unknown } | null | undefined)?.id;
  if (typeof id === 'string' && id.length > 0 && id.length <= 300) return `${group}:${id}`;
  return `${group}:sha256:${createHash('sha256')
    .update(JSON.stringify(event) ?? 'undefined')
    .digest('hex')}`;
}

/** Events of customers are about the person that they tell of; all others hold legal documents, or ids alone. */
export function deadLetterSubject(topic: string, event: unknown): string | null {
  const subject = (event as { subject?: unknown } | null | undefined)?.subject;
  return topic === topics.customer && typeof subject === 'string' ? subject : null;
}

/** The order of one subject on one topic. */
export const lineOf = (topic: string, subject: string): string => `${topic} ${subject}`;

/** What letters are found by, from an event that may be anything. */
export function foundBy(event: unknown): Pick<DeadLetter, 'event_type' | 'event_subject' | 'order'> {
  const { type, subject, sequence } = (event ?? {}) as { type?: unknown; subject?: unknown; sequence?: unknown };
  const text = (value: unknown): string | null => (typeof value === 'string' && value.length <= 300 ? value : null);
  return { event_type: text(type), event_subject: text(subject), order: Number.isSafeInteger(sequence) ? (sequence as number) : 0 };
}

export type DeadLetters = (group: string) => Collection<DeadLetter>;

const indexes: Index[] = [
  { fields: ['subject'] },
  { fields: ['reason', '_id'] },
  { fields: ['event_type', '_id'] },
  { fields: ['event_subject', 'order'] },
  { fields: ['line', 'order'] },
];

/** The dead letters of each group in a collection of its own: `<group>_dead_letters`. */
export function documentDeadLetters(documents: DocumentStore): DeadLetters {
  const opened = new Map<string, Collection<DeadLetter>>();
  return (group) => {
    const name = `${group.replaceAll(/\W/g, '_')}_dead_letters`;
    const letters = opened.get(group) ?? documents.collection<DeadLetter>(name, { indexes });
    opened.set(group, letters);
    return letters;
  };
}
