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
  const fault = envelopeFault(event);
  if (fault !== undefined) throw new InvalidEvent(fault);
  const { type, data } = event as PublicEvent;
  const known = publicEvents.get(type);
  const validate = known && openValidatorOf(known.data);
  if (validate && !validate(data)) throw new InvalidEvent(faultIn('/data', validate));
  return event as PublicEvent;
}

/** What is wrong with a thing that came as a public event; undefined when its envelope is whole. Its `data` is not looked at. */
export function envelopeFault(event: unknown): string | undefined {
  const validate = openValidatorOf(PublicEvent);
  return validate(event) ? undefined : faultIn('', validate);
}

/** The first fault will do: the sender is one of us. */
function faultIn(where: string, { errors }: ValidateFunction): string {
  const { instancePath = '', message = 'is wrong' } = errors?.[0] ?? {};
  return `${where + instancePath || '/'} ${message}`;
}
