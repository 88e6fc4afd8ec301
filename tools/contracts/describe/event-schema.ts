import { standard } from '@svc/contracts/openapi/standard';
import type { Schema } from '@svc/contracts/schema/decorators/rule';

/** A schema in standard keywords, with every class in it once, under `$defs`. */
export function eventSchema(schema: Schema): Schema {
  const $defs: Record<string, Schema> = {};
  const inPlace = (one: Schema): Schema => standard(one, place);
  const place = (one: Schema): Schema => {
    const { title, type, description, words: _, ...rest } = one;
    if (typeof title !== 'string') return inPlace(one);
    if (!(title in $defs)) {
      $defs[title] = {}; // reserves the place, so that schemas are in the order of first use
      $defs[title] = inPlace({ type: 'object', ...rest });
    }
    const reference = { $ref: `#/$defs/${title}` };
    const either = [type].flat().includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference;
    return description === undefined ? either : { ...either, description };
  };
  return { ...inPlace(schema), $defs };
}
