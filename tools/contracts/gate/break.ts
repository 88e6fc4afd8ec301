/** A change that breaks a client, a consumer or the reading of what is stored. */
export interface Break {
  /** The same at each run and for each release that it breaks: by it `accepted.json` names a break. */
  id: string;
  /** The event or operation, with the path in it. */
  where: string;
  what: string;
  /** For whom, in words. */
  whom: string;
  /** The releases that it was found against. */
  versions: string[];
  instead: string;
  /** False: nothing makes it harmless. */
  isAcceptable: boolean;
}

/** One break for each id, with all its releases. */
export function merged(breaks: readonly Break[]): Break[] {
  const byId = Map.groupBy(breaks, ({ id }) => id);
  return Array.from(byId.values(), (same) => ({ ...(same[0] as Break), versions: [...new Set(same.flatMap(({ versions }) => versions))] }));
}

export const shownBreak = ({ id, where, what, whom, versions, instead }: Break): string =>
  [`✗ ${where}: ${what}`, `  For ${whom} (releases ${versions.join(', ')}).`, `  Instead: ${instead}`, `  Break: ${id}`].join('\n');
