import { iso, type Clock } from '@svc/kernel';
import { Counter } from 'prom-client';
import {
  deadLetterId,
  deadLetterSubject,
  foundBy,
  lineOf,
  type DeadLetter,
  type DeadLetterReason,
  type DeadLetters,
} from '../dead-letter.ts';
import type { BusLogger } from '../logger.ts';
import type { EventPosition } from '../position.ts';

export interface DeadLetterContext {
  deadLetters: DeadLetters;
  clock: Clock;
  logger: BusLogger;
}

export interface Kept {
  group: string;
  topic: string;
  event: unknown;
  origin: string;
  position?: EventPosition | undefined;
  reason: DeadLetterReason;
  failure: unknown;
}

const kept = new Counter({
  name: 'svc_dead_letters_total',
  help: 'Events that a group could not handle or a publisher could not publish, and that went to its dead letters since this process started.',
  labelNames: ['group', 'reason'],
});

/** Stores an event as a dead letter of its group; an existing dead letter stays as it is. Rejects when it cannot be stored. */
export async function storeDeadLetter(keeping: DeadLetterContext, { failure, position, ...kept }: Kept): Promise<void> {
  const { group, topic, event, reason } = kept;
  const found = foundBy(event);
  const waits = reason === 'unknown_type' && found.event_subject !== null;
  await insertDeadLetter(keeping, {
    ...{ _id: deadLetterId(group, event), version: 1, ...kept, ...found, held_until: 0 },
    position: position ? { part: position.part, at: String(position.at) } : null,
    subject: deadLetterSubject(topic, event),
    error: messageOf(failure),
    at: iso(keeping.clock.now()),
    line: waits ? lineOf(topic, String(found.event_subject)) : null,
  });
}

/** Stores a dead letter that does not exist yet, counts it and logs it. */
export async function insertDeadLetter({ deadLetters, logger }: DeadLetterContext, deadLetter: DeadLetter): Promise<void> {
  const { _id, group, topic, reason, event_type: type, event_subject: subject, error } = deadLetter;
  if (!(await deadLetters(group).insert(deadLetter))) return;
  countDeadLetter(group, reason);
  logger.error({ group, topic, type, subject, reason, dead_letter: _id, error }, 'an event went to the dead letters');
}

/** The position of a dead letter's event; undefined where the publisher gave none. */
export function positionOf({ position }: Pick<DeadLetter, 'position'>): EventPosition | undefined {
  return position ? { part: position.part, at: BigInt(position.at) } : undefined;
}

export const countDeadLetter = (group: string, reason: DeadLetterReason): void => kept.inc({ group, reason });

/** Nest also passes on errors that are no `Error`: `{ status, message }`. */
export function messageOf(failure: unknown): string {
  const message = (failure as { message?: unknown } | null | undefined)?.message;
  return (typeof message === 'string' ? message : String(failure)).slice(0, 2_000);
}
