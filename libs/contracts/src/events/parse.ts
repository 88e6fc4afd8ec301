import { parseExact } from '@svc/kernel';
import { Ajv, type ValidateFunction } from 'ajv';
import { ajvOptions, customizeAjv } from '../schema/ajv.ts';
import type { Class } from '../schema/class.ts';
import { opened, schemaOf } from '../schema/json-schema.ts';
import type { PublicEvent } from './envelope.ts';
import { publicEvents } from './registry.ts';

/** Not an event, or not what its type promises. Handling it again would change nothing. */
export class InvalidEvent extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`This is no valid public event: ${problems.slice(0, 5).join('; ')}`);
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
    throw new InvalidEvent(['it is not JSON']);
  }
  envelope ??= ajv().compile(envelopeSchema);
  if (!envelope(event)) throw new InvalidEvent(problemsIn('', envelope));
  const { type, data } = event as PublicEvent;
  const shape = publicEvents.get(type)?.data;
  const validate = shape && judgeOf(shape);
  if (validate && !validate(data)) throw new InvalidEvent(problemsIn('/data', validate));
  return event as PublicEvent;
}

const problemsIn = (where: string, { errors }: ValidateFunction): string[] =>
  (errors ?? []).map(({ instancePath, message }) => `${where + instancePath || '/'} ${message ?? 'is wrong'}`);

/** What all types have in common. */
const text = { type: 'string', minLength: 1, maxLength: 255 };
const envelopeSchema = {
  type: 'object',
  properties: {
    specversion: { const: '1.0' },
    id: text,
    source: text,
    type: text,
    subject: text,
    time: { type: 'string', format: 'timestamp' },
    datacontenttype: { const: 'application/json' },
    env: { enum: ['live', 'test'] },
    account: text,
    sequence: { type: 'integer', minimum: 1 },
    traceparent: text,
    data: { type: 'object', plain: true },
  },
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'env', 'account', 'sequence', 'data'],
};
let envelope: ValidateFunction | undefined;

let made: Ajv | undefined;
/** The first error will do: the sender is one of us. */
const ajv = (): Ajv => (made ??= customizeAjv(new Ajv(ajvOptions)));

const judges = new Map<Class, ValidateFunction>();
function judgeOf(shape: Class): ValidateFunction {
  let judge = judges.get(shape);
  if (!judge) {
    judge = ajv().compile(opened(schemaOf(shape)));
    judges.set(shape, judge);
  }
  return judge;
}
