import type { Schema } from '../schema/decorators/rule.ts';
import type { Form, Publisher, Side } from './side.ts';
import { standard } from './standard.ts';
import { whole } from './whole.ts';

/**
 * Of responses. All of them are open, since later releases add fields and values: an object allows any other field, and a value of a list is text, with
 * the values that are known today beside it.
 */
export const answered: Side = {
  object: ({ additionalProperties: _, ...schema }) => schema,
  value(schema, publisher) {
    const { exact, enum: values, items, union, ...rest } = schema;
    if (exact !== undefined) return { schema: { ...rest, type: 'number', format: 'double' } };
    if (Array.isArray(values))
      return values.length === 1 ? { schema: { type: 'string', const: values[0] } } : open(schema, values, publisher);
    if (Array.isArray((items as Schema | undefined)?.enum)) return openList(schema, publisher);
    if (typeof union === 'string') return { schema: publisher.name(union, () => standard(rest, publisher.place)) };
    return whole(schema);
  },
};

const OPEN = 'Later releases may add values: let those pass that you do not know.';

function open({ vocabulary }: Schema, values: unknown[], { name }: Publisher): Form {
  const schema: Schema = { type: 'string', 'x-extensible-enum': values };
  const note = `Today ${values.map((value) => `\`${String(value)}\``).join(', ')}.`;
  if (typeof vocabulary !== 'string') return { schema, note };
  return { schema: name(`Any${vocabulary}`, () => ({ ...schema, description: `${note} ${OPEN}` })), note };
}

/** A list that may have as many entries as there are values. */
const openList = ({ maxItems: _, ...schema }: Schema, { place }: Publisher): Form => ({ schema: standard(schema, place) });
