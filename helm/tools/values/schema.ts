import { umbrella } from '../charts.mjs';
import { documentedValues, type DocumentedValue } from './documented-values.ts';
import { goneValue, goneValues } from './gone-values.ts';
import { settingsOfChart, valueOf } from './settings.ts';
import { conditions, definitions, shapes } from './shapes.ts';

interface ObjectSchema {
  type: 'object';
  properties: Record<string, object>;
  additionalProperties: boolean;
}

/** The values.schema.json of a chart: of the settings as their classes say, of all else by shape or default. Nothing else may be given. */
export function valuesSchema(chart: string, gone = goneValues[chart] ?? {}): object {
  const settings = new Map(settingsOfEach(chart).map((setting) => [valueOf(setting), setting.secret ? keyInSecret : setting.schema]));
  const root = objectSchema();
  for (const value of documentedValues(chart)) add(root, value.path, { description: value.description, ...schemaOf(value, settings) });
  for (const [path, instead] of Object.entries(gone)) add(root, path.split('.'), goneValue(instead));
  const names = Object.keys(root.properties);
  if (chart === umbrella)
    for (const name of names)
      if (name !== 'global' && name !== 'extraObjects') (root.properties[name] as ObjectSchema).additionalProperties = true;
  // What Helm adds by itself: the values of the library, and in a chart the umbrella's switch.
  Object.assign(root.properties, { 'service-library': { type: 'object' }, ...(chart !== umbrella && { enabled: { type: 'boolean' } }) });
  const development = root.properties['development'] as ObjectSchema | undefined;
  if (development) root.properties['development'] = onlyIfEnabled(development);
  const own = conditions.filter((condition) => condition.chart === chart).map((condition) => ({ if: condition.if, then: condition.then }));
  return { $schema: 'http://json-schema.org/draft-07/schema#', definitions, ...root, ...(own.length > 0 && { allOf: own }) };
}

const keyInSecret = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' };

/** A setting that charts share is what it is in each of them. */
const settingsOfEach = (chart: string) => settingsOfChart(chart === umbrella ? 'gateway' : chart);

function schemaOf({ path, default: value }: DocumentedValue, settings: Map<string, object>): object {
  const place = path.join('.');
  const setting = settings.get(place.replace(/^global\.settings\./, 'settings.')) ?? sharedSetting(place);
  const schema = { ...setting, ...shapes[place] };
  if (Object.keys(schema).length === 0) return { type: typeOf(place, value) };
  return setting && value === '' ? orEmpty(schema) : schema;
}

/** A setting of `global` that this chart itself does not have. */
const sharedSetting = (place: string): object | undefined =>
  place.startsWith('global.settings.')
    ? [...settingsOfChart('gateway'), ...settingsOfChart('invoicing')].find((setting) => `global.${valueOf(setting)}` === place)?.schema
    : undefined;

function typeOf(place: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  throw new Error(`${place}: its default does not show what it may be; give it a shape`);
}

/** The empty text leaves a setting to what the charts share, or to the program. */
function orEmpty(schema: { type?: string; pattern?: string; enum?: readonly string[] }): object {
  if (schema.type === 'boolean') return { enum: ['', true, false] };
  if (schema.enum) return { enum: ['', ...schema.enum] };
  return schema.pattern ? { ...schema, pattern: `^$|${schema.pattern}` } : schema;
}

/** Development settings are empty unless they are enabled. */
function onlyIfEnabled(development: ObjectSchema): object {
  const { enabled, ...others } = development.properties;
  const empty = Object.fromEntries(Object.keys(others).map((name) => [name, { const: '' }]));
  return {
    ...development,
    properties: { enabled, ...others },
    if: { properties: { enabled: { const: false } } },
    then: { properties: empty },
  };
}

const objectSchema = (): ObjectSchema => ({ type: 'object', properties: {}, additionalProperties: false });

function add(into: ObjectSchema, [first = '', ...rest]: string[], schema: object): void {
  if (rest.length === 0) into.properties[first] = schema;
  else add((into.properties[first] ??= objectSchema()) as ObjectSchema, rest, schema);
}
