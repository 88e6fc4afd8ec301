import { createHash } from 'node:crypto';
import type { Collection, Doc } from '@svc/documents';

/** An event that a group could not handle, or that was none. */
export interface DeadLetter extends Doc {
  group: string;
  topic: string;
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

export type DeadLetters = (group: string) => Collection<DeadLetter>;
