import { parseExact } from '@svc/kernel';
import type { ValidateFunction } from 'ajv';
import { openValidatorOf } from './open-schema.ts';
import { PublicEvent } from '../events/envelope.ts';
import { publicEvents } from '../public-events.ts';

/** Not a public event, or data that does not match its type. A retry fails in the same way. */
export class InvalidEvent extends Error {
  constructor(readonly problem: string) {
    super(`This is no valid public event: ${problem}`);
    this.name = 'InvalidEvent';
  }
}

/**
 * Parses a public event and keeps all digits. Validates the envelope, and the data if the type is known; accepts fields and types of later
 * releases. Throws `InvalidEvent`.
 */
export function parseEvent(json: string): PublicEvent {
  let event: unknown;
  try {
    event = parseExact(json);
  } catch {
    throw new InvalidEvent('it is not JSON');
  }
  check(event, openValidatorOf(PublicEvent), '');
  const { type, data } = event as PublicEvent;
  const known = publicEvents.get(type);
  if (known) check(data, openValidatorOf(known.data), '/data');
  return event as PublicEvent;
}

/** Reports the first error only: the sender is one of our services. */
function check(value: unknown, validate: ValidateFunction, where: string): void {
  if (validate(value)) return;
  const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
  throw new InvalidEvent(`${where + instancePath || '/'} ${message}`);
}
