import type { InvoicingContext } from '../context.ts';
import { countIn, couldMeet, openOf, shapeOf, type Shape } from './domain/format.ts';
import { isTaken, type NumberLink } from './domain/numbering.ts';
import { pastWriters, type PastSearch, type PastWriter, type Tenant } from './past-writers.ts';
import { searchBudget, type Spend } from './search-budget.ts';

type Context = Pick<InvoicingContext, 'store' | 'issuers' | 'clock'>;

/** A series that requests an unclaimed pattern. `own`: its stream. */
export interface Wanting {
  tenant: Tenant;
  own: string;
  pattern: string;
  /** Of the pattern, where it is not claimed either. */
  shape: Shape | undefined;
}

/** The series that holds the shape, with its places; or the one that holds the pattern. */
export type EarlierHolder = { shape: PastWriter; places: string } | { pattern: PastWriter } | 'nobody';

/**
 * Decides who may use the pattern, by the numbers that were written before patterns were claimed; undefined: the requesting series.
 *
 * The shape belongs to a series that counted at other places in it, unless a series counted at the requested places. The pattern belongs
 * to the series with the highest count, so that its next number is beyond all of them; to nobody where that series, too, would repeat an
 * earlier number. Throws `TooMany`.
 */
export async function earlierHolder(context: Context, { tenant, own, pattern, shape }: Wanting): Promise<EarlierHolder | undefined> {
  const spend = searchBudget(tenant.account);
  const codes = pattern.match(/\d{1,12}/g) ?? [];
  const self = { stream: own, pattern, series: '', unit: null, device: null };
  async function search(isWanted: PastSearch['isWanted']): Promise<{ writers: PastWriter[]; reachOf: ReachOf }> {
    const writers = await pastWriters(context, { tenant, pattern: openOf(pattern), isWanted, codes, spend });
    return { writers, reachOf: reaches(context.store, { writers: [self, ...writers], wanted: pattern, spend }) };
  }
  const { writers, reachOf } = await search(
    (filled, places) => couldMeet(pattern, filled) || (shape !== undefined && places !== shape.places),
  );
  const ownReach = (await reachOf(own, pattern)) ?? -1;
  if (shape && ownReach === -1) {
    const elsewhere = await firstOf(writers, { shape, isAt: (places) => places !== shape.places, reachOf });
    if (elsewhere) {
      const same = await search((_, places) => places === shape.places);
      if (!(await firstOf(same.writers, { shape, isAt: (places) => places === shape.places, reachOf: same.reachOf }))) return elsewhere;
    }
  }

  let [furthest, reach]: [PastWriter, number] = [self, ownReach];
  for (const writer of writers) {
    if (!couldMeet(pattern, writer.pattern)) continue;
    const count = (await reachOf(writer.stream, pattern)) ?? -1;
    if (count > reach) [furthest, reach] = [writer, count];
  }
  const [last] = await context.store.tail(furthest.stream, 1);
  if (last && reach > (last.data as NumberLink).seq) return 'nobody';
  return furthest.stream === own ? undefined : { pattern: furthest };
}

/** The highest count among a stream's numbers that match a pattern; undefined: none matches. */
type ReachOf = (stream: string, pattern: string) => Promise<number | undefined>;

/** The first of them that numbered in the shape at matching places. */
async function firstOf(
  writers: readonly PastWriter[],
  { shape, isAt, reachOf }: { shape: Shape; isAt: (places: string) => boolean; reachOf: ReachOf },
): Promise<{ shape: PastWriter; places: string } | undefined> {
  for (const writer of writers) {
    const its = shapeOf(writer.pattern);
    if (its?.shape !== shape.shape || !isAt(its.places)) continue;
    if ((await reachOf(writer.stream, writer.pattern)) !== undefined) return { shape: writer, places: its.places };
  }
  return undefined;
}

const PAGE = 1_000;
/** The cost of a read, and of comparing a number with a pattern. */
const [READ, COMPARED] = [2_000, 3];

/**
 * Reads each stream at most once for all patterns of its writers; only its end where it was written by one pattern, as its last number
 * shows.
 */
function reaches(store: Context['store'], of: { writers: PastWriter[]; wanted: string; spend: Spend }): ReachOf {
  const { writers, wanted, spend } = of;
  const patterns = new Map<string, Set<string>>();
  for (const { stream, pattern } of writers) patterns.set(stream, (patterns.get(stream) ?? new Set()).add(pattern));
  const patternsOf = (stream: string): string[] => [...(patterns.get(stream) ?? [])];

  async function readWhole(stream: string): Promise<Map<string, number>> {
    const highest = new Map<string, number>();
    for (let from = 0n; ; from += BigInt(PAGE)) {
      await spend(READ);
      const page = await store.read(stream, from, PAGE);
      const numbers = page.flatMap(({ data }) => (isTaken(data as NumberLink) ? [(data as { number: string }).number] : []));
      for (const pattern of new Set([wanted, ...patternsOf(stream)])) {
        await spend(COMPARED * numbers.length);
        for (const number of numbers) {
          const count = countIn(pattern, number);
          if (count !== undefined && count > (highest.get(pattern) ?? -1)) highest.set(pattern, count);
        }
      }
      if (page.length < PAGE) return highest;
    }
  }

  const read = new Map<string, Promise<Map<string, number>>>();
  return async (stream, pattern) => {
    const alone = patternsOf(stream).every((one) => one === pattern || !couldMeet(pattern, one));
    if (alone && !read.has(stream)) {
      await spend(READ);
      const last = await lastCountBy(store, stream, pattern);
      if (last !== undefined) return last;
    }
    const whole = read.get(stream) ?? readWhole(stream);
    read.set(stream, whole);
    return (await whole).get(pattern);
  };
}

/** The most refusals that can follow the last number. */
const LAST_LINKS = 64;

/** The count of the series' last number, where that matches the pattern. */
export async function lastCountBy(store: Context['store'], stream: string, pattern: string): Promise<number | undefined> {
  const links = (await store.tail(stream, LAST_LINKS)).map(({ data }) => data as NumberLink);
  const link = links.findLast(isTaken);
  return link && countIn(pattern, link.number) === link.seq ? link.seq : undefined;
}
