import { createHash } from 'node:crypto';
import { topics } from '@svc/contracts/events/envelope';
import type { Collection, Doc, Documents } from '@svc/documents';

/** An event that a group could not handle, or that was none. */
export interface DeadLetter extends Doc {
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

export type DeadLetters = (group: string) => Collection<DeadLetter>;

/** The dead letters of each group in a collection of its own: `<group>_dead_letters`. */
export function documentDeadLetters(documents: Documents): DeadLetters {
  const opened = new Map<string, Collection<DeadLetter>>();
  return (group) => {
    const name = `${group.replaceAll('-', '_')}_dead_letters`;
    const letters = opened.get(group) ?? documents.collection<DeadLetter>(name, { indexes: [{ fields: ['subject'] }] });
    opened.set(group, letters);
    return letters;
  };
}
