import type { FieldProblem } from '@svc/kernel';
import { type RouteName, routes } from './routes.ts';
import type { Class } from './schema/class.ts';
import type { Schema } from './schema/decorators/rule.ts';
import { canonicalTimestamp } from './schema/decorators/times.ts';
import { schemaOf } from './schema/json-schema.ts';
import { problemsOf } from './schema/problems.ts';
import { tidyText } from './schema/decorators/text.ts';
import { unknownName } from './schema/words.ts';

export type QueryResult = { value: Record<string, unknown> } | { problems: readonly FieldProblem[] };

export const queryValidator = (name: RouteName): ((raw: Record<string, unknown>) => QueryResult) => queryValidatorOf(routes[name].query);

/**
 * Validates raw query parameters: strings, or lists of strings for a repeated parameter. Returns them with numbers and
 * booleans converted, texts as they would be stored (trimmed, NFC), the values of a filter as a list, timestamps in UTC with milliseconds and defaults filled
 * in; or the problems, by parameter.
 */
export function queryValidatorOf(shape: Class): (raw: Record<string, unknown>) => QueryResult {
  const schema = schemaOf(shape);
  const known = schema.properties as Record<string, Schema>;
  const defaults = Object.fromEntries(
    Object.entries(known).flatMap(([key, { default: value }]) => (value === undefined ? [] : [[key, value]])),
  );
  return (raw) => {
    const given = Object.entries(raw).map(([key, text]) => [key, Object.hasOwn(known, key) ? coerced(known[key], text) : text]);
    const value = Object.fromEntries(given) as Record<string, unknown>;
    const problems = problemsOf(shape, value);
    if (!problems) return { value: { ...defaults, ...value, ...wholeTexts(known, raw, value) } };
    const isRepeated = (key: string): boolean => Array.isArray(raw[key]) && Object.hasOwn(known, key);
    return { problems: problems.map((problem) => (isRepeated(problem.field) ? { ...problem, ...REPEATED } : ofParameter(problem))) };
  };
}

const REPEATED = { rule: 'repeated', params: {}, message: 'Send this parameter once.' } as const;

const ofParameter = (problem: FieldProblem): FieldProblem =>
  problem.rule === 'unknown' ? { ...problem, message: unknownName('parameter', problem.params.nearest as string | undefined) } : problem;

/** Converts a text to the type of its schema. A text of another form stays text, which validation reports. */
function coerced(schema: Schema | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return schema?.type === 'array' ? null : text;
  if (schema?.type === 'array') return valuesOf(schema, text);
  if (schema?.type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (schema?.type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : text;
  const tidied = tidyText(text);
  return schema?.format === 'moment' || schema?.format === 'sent-timestamp' ? (canonicalTimestamp(withPlus(tidied)) ?? tidied) : tidied;
}

/** An offset whose `+` was not escaped, which a query string takes for a space. */
const withPlus = (text: string): string => text.replace(/ (?=\d\d:\d\d$)/, '+');

/** The values of a filter, each once. Those that are compared whole, too, may have nothing between two commas. */
function valuesOf({ whole }: Schema, text: string): string[] {
  const values = [...new Set(text.split(',').map(tidyText))];
  const visible = whole ? values.filter((value) => value !== '') : values;
  return visible.length > 0 ? visible : [tidyText(text)];
}

/** The filters whose text is a value as well, comma and all, with all of their values. */
function wholeTexts(known: Record<string, Schema>, raw: Record<string, unknown>, value: Record<string, unknown>): Record<string, string[]> {
  const divided = Object.keys(raw).filter((key) => known[key]?.whole && String(raw[key]).includes(','));
  return Object.fromEntries(divided.map((key) => [key, [...new Set([tidyText(String(raw[key])), ...(value[key] as string[])])]]));
}
