import { validatorOf } from '@svc/contracts/http/ajv';
import type { Class } from '@svc/contracts/http/class';
import { invalid, type Refusal } from '@svc/kernel';
import { classMessages, isObject } from './class-messages.ts';
import { REQUIRED, wrongFields } from './wrong-fields.ts';

/** Beyond this many wrong fields the sender is no person: Ajv's own words do. */
const MOST_EXPLAINED = 100;

/** Says whether a body is what `described` describes. The schema is compiled when the first body comes, not at start. */
export function bodyCheck(described: Class): (body: unknown) => true | { error: Refusal } {
  return (body) => {
    const validate = validatorOf(described);
    return validate(body) || { error: refusal(described, body, wrongFields(validate.errors ?? [], body)) };
  };
}

/** Ajv decides which fields are wrong; where class-validator has words for what to send instead, it is these. */
function refusal(described: Class, body: unknown, fields: ReadonlyMap<string, string[]>): Refusal {
  const words = isObject(body) && fields.size <= MOST_EXPLAINED ? classMessages(described, body) : new Map<string, string[]>();
  const worded = ([path, messages]: [string, string[]]) => [path, messages[0] === REQUIRED ? messages : (words.get(path) ?? messages)];
  return invalid(Object.fromEntries([...fields].map(worded)) as Record<string, string[]>);
}
