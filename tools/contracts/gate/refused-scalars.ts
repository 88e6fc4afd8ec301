import { shown, type Compared, type JsonSchema, type Refused } from './refused.ts';

/** undefined: any value. */
const valuesOf = (schema: JsonSchema): unknown[] | undefined => {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
};

/** Closed lists of values, bounds, patterns and formats. */
export function scalarsDiffer(compared: Compared): Refused[] {
  const { written, read, path } = compared;
  const [writes, reads] = [valuesOf(written.schema), valuesOf(read.schema)];
  const one = (value: unknown, expected: string): Refused => ({
    path,
    rule: `value ${shown(value)}`,
    written: shown(value),
    read: expected,
  });
  const list = reads && `one of ${reads.map(shown).join(', ')}`;
  if (list && !writes) return [{ path, rule: 'values', written: 'any value', read: list }];
  if (list && writes) return writes.filter((value) => !reads?.includes(value)).map((value) => one(value, list));
  if (writes) return writes.filter((value) => !isAllowed(value, read.schema)).map((value) => one(value, shown(read.schema)));
  return [...boundsDiffer(compared), ...textDiffers(compared)];
}

/** Bounds with the value that an absent one has. */
const lower = { minimum: -Infinity, exclusiveMinimum: -Infinity, minLength: 0, minItems: 0, minProperties: 0 };
const upper = { maximum: Infinity, exclusiveMaximum: Infinity, maxLength: Infinity, maxItems: Infinity, maxProperties: Infinity };

function boundsDiffer({ written, read, path }: Compared): Refused[] {
  const wider = (bounds: Record<string, number>, isWider: (now: number, then: number) => boolean): Refused[] =>
    Object.entries(bounds).flatMap(([name, absent]) => {
      const [now, then] = [written.schema[name] ?? absent, read.schema[name]];
      if (typeof then !== 'number' || !isWider(now as number, then)) return [];
      return [{ path, rule: name, written: `${name} ${shown(written.schema[name])}`, read: `${name} ${then}` }];
    });
  return [...wider(lower, (now, then) => now < then), ...wider(upper, (now, then) => now > then)];
}

/** Whether one pattern or format contains another cannot be decided: a reader's has to be what is written. */
function textDiffers({ written, read, path }: Compared): Refused[] {
  return ['pattern', 'format'].flatMap((name) => {
    const [now, then] = [written.schema[name], read.schema[name]];
    if (then === undefined || now === then) return [];
    return [{ path, rule: name, written: `${name} ${shown(now)}`, read: `${name} ${shown(then)}` }];
  });
}

function isAllowed(
  value: unknown,
  { pattern, minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity }: JsonSchema,
): boolean {
  if (typeof value === 'number') return value >= Number(minimum) && value <= Number(maximum);
  if (typeof value !== 'string') return true;
  const { length } = [...value];
  const isMatch = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
  return isMatch && length >= Number(minLength) && length <= Number(maxLength);
}
