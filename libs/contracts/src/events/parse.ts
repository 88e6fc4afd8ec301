import { parseExact } from '@svc/kernel';
import type { ValidateFunction } from 'ajv';
import { openValidatorOf } from '../schema/ajv.ts';
import { PublicEvent } from './envelope.ts';
import { publicEvents } from './registry.ts';

/** Not an event, or not what its type promises. Handling it again would change nothing. */
export class InvalidEvent extends Error {
  constructor(readonly problem: string) {
    super(`This is no valid public event: ${problem}`);
    this.name = 'InvalidEvent';
  }
}

/**
 * A public event from its JSON text, digits kept. Data of a known type is what its class says, with fields of later releases let
 * through; of an unknown type, from a later release, the envelope alone is judged. Throws InvalidEvent.
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

/** The first fault will do: the sender is one of us. */
function check(value: unknown, validate: ValidateFunction, where: string): void {
  if (validate(value)) return;
  const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
  throw new InvalidEvent(`${where + instancePath || '/'} ${message}`);
}
