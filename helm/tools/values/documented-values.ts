import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';

/** A value of a chart: where it is, the line above it, and its default. */
export interface DocumentedValue {
  path: string[];
  description: string;
  default: unknown;
}

export const chartsFolder = join(import.meta.dirname, '..', '..');

/** The values of a chart in the order of its values.yaml. Throws when one has no line above it. */
export function documentedValues(chart: string): DocumentedValue[] {
  const document = parseDocument(readFileSync(join(chartsFolder, chart, 'values.yaml'), 'utf8'));
  return valuesIn(document.contents as YAMLMap, []);
}

function valuesIn(map: YAMLMap, path: string[]): DocumentedValue[] {
  return map.items.flatMap((pair, n) => {
    const here = [...path, nameOf(pair)];
    if (isGroup(pair.value)) return valuesIn(pair.value, here);
    const description = commentOf(map, pair, n);
    if (!description) throw new Error(`${here.join('.')} has no line above it`);
    return [{ path: here, description, default: (pair.value as { toJSON(): unknown }).toJSON() }];
  });
}

/** A map whose values have lines above them. One whose values have none is a value as a whole, such as `resources`. */
const isGroup = (value: unknown): value is YAMLMap =>
  isMap(value) && value.items.length > 0 && value.items.every((pair, n) => isGroup(pair.value) || commentOf(value, pair, n) !== undefined);

/** The line above a value. That of the first one is kept with the map. */
function commentOf(map: YAMLMap, pair: Pair, n: number): string | undefined {
  const key = isScalar(pair.key) ? pair.key.commentBefore : undefined;
  const comment = key ?? (n === 0 ? map.commentBefore : undefined);
  return comment?.trim().split('\n').at(-1)?.trim();
}

const nameOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);
