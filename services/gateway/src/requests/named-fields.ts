import type { Route } from '@svc/contracts/http/route';
import { schemaOf } from '@svc/contracts/schema/json-schema';

type Schema = ReturnType<typeof schemaOf>;

/** What an error names: field paths of its `details`, and the rules of its `issues`. */
export interface Named {
  details?: object;
  issues?: readonly { field: string; rule: string }[];
}

/** Stands for names that the caller has invented. */
const UNKNOWN = 'unknown';
/** Stands for an index, and for a key of the caller's own pairs. */
const ANY = '*';
const MOST_FIELDS = 20;
/** Of what a service names besides the body and the query, such as `issuer.tax_id`. */
const OWN_NAME = /^[a-z][a-z0-9_-]{0,39}(?:\.[a-z0-9_-]{1,40}){0,4}$/i;

/** The first twenty names that a request was refused for, each once: those of its schema and of the services alone, `items.*.quantity` whichever item it was. */
export function namedFields(route: Pick<Route, 'body' | 'query'> | undefined, { details = {}, issues = [] }: Named): string[] {
  const invented = new Set(issues.filter(({ rule }) => rule === UNKNOWN).map(({ field }) => field));
  const shapes = [route?.body, route?.query].flatMap((shape) => (shape ? [schemaOf(shape)] : []));
  const names = Object.keys(details).map((field) => (invented.has(field) ? UNKNOWN : nameOf(field, shapes)));
  return [...new Set(names)].slice(0, MOST_FIELDS);
}

function nameOf(field: string, shapes: readonly Schema[]): string {
  for (const shape of shapes) {
    const known = inSchema(shape, field.split('.'));
    if (known) return known.join('.');
  }
  return OWN_NAME.test(field) ? field.replaceAll(/(?<=\.)\d+(?=\.|$)/g, ANY) : UNKNOWN;
}

/** The steps as the schema names them; undefined: it has no such field. What is below a pair is of the pair. */
function inSchema({ properties, items, additionalProperties }: Schema, [step, ...rest]: readonly string[]): string[] | undefined {
  if (step === undefined) return [];
  if (items) return below(ANY, items, rest);
  if (properties) return Object.hasOwn(properties, step) ? below(step, (properties as Record<string, Schema>)[step], rest) : undefined;
  return typeof additionalProperties === 'object' ? [ANY] : undefined;
}

function below(name: string, schema: unknown, rest: readonly string[]): string[] | undefined {
  const found = inSchema(schema as Schema, rest);
  return found && [name, ...found];
}
