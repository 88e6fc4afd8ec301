import type { ErrorObject } from 'ajv';

/**
 * Ajv tells of a value that fits no alternative of an `anyOf` once or more per alternative, and then once for the whole. What the
 * caller wants to know is one thing: where exactly one alternative is of the value's kind, what is wrong with it there; else that
 * the value as a whole is wrong.
 */
export function settleAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const settled: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      settled.push(error);
      continue;
    }
    let start = settled.length;
    while (start > 0 && isBelow(settled[start - 1] as ErrorObject, error)) start -= 1;
    settled.push(...oneVoice(settled.splice(start), error));
  }
  return settled;
}

const isBelow = (error: ErrorObject, whole: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${whole.schemaPath}/`) &&
  (error.instancePath === whole.instancePath || error.instancePath.startsWith(`${whole.instancePath}/`));

function oneVoice(members: ErrorObject[], whole: ErrorObject): ErrorObject[] {
  const alternatives = Map.groupBy(members, (error) => placeIn(whole, error)[0]);
  const ofItsKind = [...alternatives.values()].filter((told) => !told.some((error) => isOtherKind(whole, error)));
  return ofItsKind.length === 1 && ofItsKind[0] ? ofItsKind[0] : [whole];
}

/** `['0', 'type']`: in which alternative, and where in it. */
const placeIn = (whole: ErrorObject, error: ErrorObject): string[] => error.schemaPath.slice(whole.schemaPath.length + 1).split('/');

/** Of another type or value; or an object whose discriminator (a field with one value alone) has another. */
function isOtherKind(whole: ErrorObject, error: ErrorObject): boolean {
  const below = error.instancePath.slice(whole.instancePath.length).split('/').length - 1;
  if (below === 0) return /^(?:type|const|enum)$/.test(placeIn(whole, error).slice(1).join('/'));
  const values: unknown = error.params.allowedValues;
  return below === 1 && (error.keyword === 'const' || (Array.isArray(values) && values.length === 1));
}
