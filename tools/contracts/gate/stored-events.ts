import { isOfRelease, type GoldenStream } from '@svc/contracts/testing/golden';
import { merged, type Break } from './break.ts';
import { goldenProblems } from './golden-problems.ts';
import { refusedValues } from './refused-values.ts';
import type { JsonSchema } from './refused.ts';
import { schemasIn, type Description, type Release } from './releases.ts';

type GoldenEvent = GoldenStream['events'][number];
type Decode = (category: string, stream: string, event: GoldenEvent, n: number) => object;

const reader = {
  whom: 'this commit, which reads what these releases stored: streams stay for ever',
  instead:
    'go on reading the old form: keep the field or make it optional, or raise the version of the event and add an upcast, with a spec of the old JSON.',
  isAcceptable: false,
};
const beside = {
  whom: 'replicas of this release, which run beside this commit during an upgrade and after a rollback',
  instead:
    'release the code that reads it first, with this break in tools/contracts/accepted.json, and write it in the release after that. An optional field may be written at once.',
  isAcceptable: true,
};

const noVersion =
  'add what is new as an optional field of the present version, or as a new type that one release reads and the next one writes: no release reads a version before it writes it.';

/**
 * Stored events. Today's code reads what any earlier release stored; the last release reads what today's code stores, since the two run
 * side by side. `decode`: how today's code reads an event.
 */
export function storedBreaks(today: Description, releases: readonly Release[], decode: Decode): Break[] {
  const last = releases.at(-1);
  return merged([...releases.flatMap((release) => unread(today, release, decode)), ...(last ? refusedByLast(today, last) : [])]);
}

/** What an earlier release stored and today's code does not read. */
function unread(today: Description, release: Release, decode: Decode): Break[] {
  const now = schemasIn(today, 'stored-events');
  const golden = Map.groupBy(goldenIn(release), ({ name }) => name);
  return [...schemasIn(release.description, 'stored-events')].flatMap(([name, then]) => {
    const found = breakOf(name, release, reader);
    const schema = now.get(name);
    if (!schema)
      return [found('type-gone', '', 'is not read any more', 'keep the type in the events and in evolve, also when nothing writes it.')];
    const wrong = misread({ schema, then, golden: golden.get(name) ?? [] }, found);
    return wrong.length > 0 ? wrong : (golden.get(name) ?? []).flatMap((one) => misreadGolden(schema, one, decode, found));
  });
}

type Found = (rule: string, path: string, what: string, instead?: string) => Break;

/** Another version is read by an upcast, which only golden events can prove. */
function misread({ schema, then, golden }: { schema: JsonSchema; then: JsonSchema; golden: Golden[] }, found: Found): Break[] {
  const [version, stored] = [versionOf(schema), versionOf(then)];
  if (version < stored) return [found('version', '', `was stored as v${stored}; today’s code reads up to v${version}`)];
  if (version === stored)
    return refusedValues(then, schema).map(({ path, rule, written, read }) =>
      found(`read ${rule}`, path, `a stored event can hold ${written}; today’s code expects ${read}`),
    );
  if (golden.some(({ event }) => event.metadata.v === stored)) return [];
  return [found('unproven', '', `no golden event has v${stored}, so nothing shows that its upcast works`)];
}

function misreadGolden(schema: JsonSchema, { category, stream, event, n }: Golden, decode: Decode, found: Found): Break[] {
  const data = (schema['properties'] as Record<string, JsonSchema>)['data'] ?? {};
  const what = `a golden event of v${event.metadata.v}`;
  try {
    return goldenProblems(data, [decode(category, stream, event, n)]).map((why) => found('golden', '', `${what} is read wrongly: ${why}`));
  } catch (error) {
    return [found('golden', '', `${what} is not read: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

/** What today's code stores and the last release does not read. */
function refusedByLast(today: Description, last: Release): Break[] {
  const then = schemasIn(last.description, 'stored-events');
  return [...schemasIn(today, 'stored-events')].flatMap(([name, now]) => {
    const found = breakOf(name, last, beside);
    const schema = then.get(name);
    if (!schema) return [found('unknown-type', '', 'is a type that they do not know: they refuse to decide on a stream that holds it')];
    const [version, known] = [versionOf(now), versionOf(schema)];
    if (version > known) return [found('unknown-version', '', `is stored as v${version}; they read up to v${known}`, noVersion)];
    if (version < known) return []; // reported as not read
    return refusedValues(now, schema).map(({ path, rule, written, read }) =>
      found(`written ${rule}`, path, `can hold ${written}; they expect ${read}`),
    );
  });
}

const versionOf = (schema: JsonSchema): number => Number(schema['x-version']);

const breakOf =
  (name: string, { version }: Release, of: Pick<Break, 'whom' | 'instead' | 'isAcceptable'>): Found =>
  (rule, path, what, instead = of.instead) => ({
    ...of,
    ...{ id: `stored ${name} ${path || '/'} ${rule}`, where: `${name} ${path}`.trim(), what, instead, versions: [version] },
  });

interface Golden {
  category: string;
  /** `<category>.<Type>` */
  name: string;
  stream: string;
  event: GoldenEvent;
  n: number;
}

const goldenIn = ({ description }: Release): Golden[] =>
  [...description].flatMap(([path, streams]) => {
    const category = /^golden\/stored\/(.+)\.json$/.exec(path)?.[1];
    if (category === undefined) return [];
    return (streams as GoldenStream[])
      .filter(isOfRelease)
      .flatMap(({ stream, events }) => events.map((event, n) => ({ category, name: `${category}.${event.type}`, stream, event, n })));
  });
