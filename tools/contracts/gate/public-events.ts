import { merged, type Break } from './break.ts';
import { goldenProblems } from './golden-problems.ts';
import { refusedValues } from './refused-values.ts';
import type { JsonSchema } from './refused.ts';
import { schemasIn, type Description, type Release } from './releases.ts';

const olderConsumers = 'consumers of these releases, which run until they are replaced and are rolled back to';
const todaysConsumers = 'consumers of this commit, which find earlier events in the topics';

/**
 * Public events against every release, in both directions: consumers of an earlier release read today's events, and today's consumers read
 * earlier ones, which stay in the topics. The version of the service does not matter: that of an event is in its type.
 */
export function publicBreaks(today: Description, releases: readonly Release[]): Break[] {
  const now = schemasIn(today, 'public-events');
  return merged(
    releases.flatMap((release) =>
      [...schemasIn(release.description, 'public-events')].flatMap(([type, then]) => {
        const schema = now.get(type);
        const golden = release.description.get(`golden/public/${type}.json`);
        return breaksOf(type, { schema, then, golden }).map((found) => ({ ...found, versions: [release.version] }));
      }),
    ),
  );
}

interface Type {
  /** Today's; undefined: it is gone. */
  schema: JsonSchema | undefined;
  /** A release's. */
  then: JsonSchema;
  golden: unknown;
}

function breaksOf(type: string, { schema, then, golden }: Type): Omit<Break, 'versions'>[] {
  const found = (rule: string, path: string, what: string, whom: string, instead = newVersion(type)): Omit<Break, 'versions'> => {
    return { id: `public ${type} ${path || '/'} ${rule}`, where: `${type} ${path}`.trim(), what, whom, instead, isAcceptable: true };
  };
  if (!schema) return [found('type-gone', '', 'is no longer published', olderConsumers, 'publish it until no release that reads it runs.')];
  const topics = [schema['x-topic'], then['x-topic']];
  const moved = topics[0] === topics[1] ? [] : [found('topic', '', `is published on ${topics[0]}, they read ${topics[1]}`, olderConsumers)];
  const refusedByThem = refusedValues(schema, then).map(({ path, rule, written, read }) =>
    found(`written ${rule}`, path, `can hold ${written}; they expect ${read}`, olderConsumers),
  );
  const refusedToday = refusedValues(then, schema).map(({ path, rule, written, read }) =>
    found(`read ${rule}`, path, `an earlier event can hold ${written}; today ${read} is expected`, todaysConsumers),
  );
  const all = [...moved, ...refusedByThem, ...refusedToday];
  if (refusedToday.length > 0) return all;
  return [
    ...all,
    ...goldenProblems(schema, [golden]).map((why) => found('golden', '', `a golden event is refused: ${why}`, todaysConsumers)),
  ];
}

function newVersion(type: string): string {
  const next = type.replace(/\d+$/, (version) => String(Number(version) + 1));
  return `leave ${type} as it is and add a type ${next}; publish both until no release that reads the old one runs. Only optional fields may be added.`;
}

/** Types that the last release does not have. A consumer of it keeps such an event, and all later ones of its subject, until it is replaced. */
export function newTypes(today: Description, releases: readonly Release[]): string[] {
  const last = releases.at(-1);
  if (!last) return [];
  const known = schemasIn(last.description, 'public-events');
  return [...schemasIn(today, 'public-events').keys()].filter((type) => !known.has(type));
}
