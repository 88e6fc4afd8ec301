/** Of parts of values: shorter ones are in ordinary words, too. */
const SHORTEST = 8;
/** Not longer than what it stands for, so that a text stays within its bound. */
const IN_PLACE = '[header]';

/**
 * The text of an answer without the values of headers that were sent, and without their words, such as the token of `Bearer <token>`: some receivers answer with
 * what they got. A text may have been cut, so the beginning of a value at its end is taken out as well. Values in another encoding are not found.
 */
export function redacted(text: string, values: readonly string[]): string {
  const parts = new Set(values.flatMap((value) => [value, ...value.split(' ')]).filter(({ length }) => length >= SHORTEST));
  const longestFirst = [...parts].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((left, part) => withoutBeginning(left.replaceAll(part, IN_PLACE), part), text);
}

function withoutBeginning(text: string, part: string): string {
  const head = part.slice(0, SHORTEST);
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1))
    if (part.startsWith(text.slice(at))) return text.slice(0, at) + IN_PLACE;
  return text;
}
