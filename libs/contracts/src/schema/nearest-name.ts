import { aliases } from './aliases.ts';

/** Longer names are not typing errors. */
const LONGEST_NAME = 40;

/**
 * The name of `known` that an unknown name may mean; undefined: none is near. In this order: written in another case (`customerId`), an alias, the
 * smallest edit distance (insert, delete, replace, swap neighbours), at most a third of its characters and 3. Its time is bounded by the lengths of the
 * known names.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  if (known.includes(snake)) return snake;
  const alias = Object.hasOwn(aliases, snake) ? aliases[snake]?.find((one) => known.includes(one)) : undefined;
  return alias ?? similar(snake, known);
}

function similar(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let most = Math.min(3, Math.floor(name.length / 3));
  for (const candidate of known) {
    const far = distance(name, candidate, most);
    if (far > most) continue;
    nearest = candidate;
    most = far - 1;
  }
  return nearest;
}

/** The edit distance of two names (optimal string alignment); above `most` some number above it. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] as number) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
