import type { InvoicingContext } from '../context.ts';
import { countIn, couldMeet, openOf, shapeOf, type Shape } from './format.ts';
import { isTaken, type NumberLink } from './numbering.ts';
import { pastWriters, type PastWriter, type Tenant } from './past-writers.ts';
import { searchBudget, type Spend } from './search-budget.ts';

type Context = Pick<InvoicingContext, 'store' | 'issuers' | 'clock'>;

/** A series that wants a pattern which is not claimed. `own`: its stream. */
export interface Wanting {
  tenant: Tenant;
  own: string;
  pattern: string;
  /** Of the pattern, where that is not claimed either. */
  shape: Shape | undefined;
}

/** Whose the shape is, and its places; or whose the pattern is. */
export type EarlierHolder = { shape: PastWriter; places: string } | { pattern: PastWriter } | 'nobody';

/**
 * Who may write numbers by the pattern, by those that were written before patterns were claimed; undefined: the one that wants it.
 *
 * The shape is another's that counted at other places in it, where none counted at the places that are wanted. The pattern is the
 * series' that came furthest, so that its next number is beyond all of them; nobody's where that one, too, would meet an earlier number.
 * Throws `TooMany`.
 */
export async function earlierHolder(context: Context, { tenant, own, pattern, shape }: Wanting): Promise<EarlierHolder | undefined> {
  const spend = searchBudget();
  const codes = pattern.match(/\d{1,12}/g) ?? [];
  const writers = await pastWriters(context, { tenant, pattern: openOf(pattern), codes, spend });
  const self = { stream: own, pattern, series: '', unit: null, device: null };
  const reachOf = reaches(context.store, { writers: [self, ...writers], wanted: pattern, spend });
  const elsewhere = shape && (await countedElsewhere(shape, { writers, own, pattern, reachOf }));
  if (elsewhere) return elsewhere;

  let [furthest, reach]: [PastWriter, number] = [self, (await reachOf(own, pattern)) ?? -1];
  for (const writer of writers) {
    if (!couldMeet(pattern, writer.pattern)) continue;
    const count = (await reachOf(writer.stream, pattern)) ?? -1;
    if (count > reach) [furthest, reach] = [writer, count];
  }
  const [last] = await context.store.tail(furthest.stream, 1);
  if (last && reach > (last.data as NumberLink).seq) return 'nobody';
  return furthest.stream === own ? undefined : { pattern: furthest };
}

/** The highest count of a stream's numbers that read as ones of a pattern; undefined: there is none. */
type ReachOf = (stream: string, pattern: string) => Promise<number | undefined>;

async function countedElsewhere(
  wanted: Shape,
  of: { writers: PastWriter[]; own: string; pattern: string; reachOf: ReachOf },
): Promise<{ shape: PastWriter; places: string } | undefined> {
  async function first(isAt: (places: string) => boolean): Promise<{ shape: PastWriter; places: string } | undefined> {
    for (const writer of of.writers) {
      const shape = shapeOf(writer.pattern);
      if (shape?.shape !== wanted.shape || !isAt(shape.places)) continue;
      if ((await of.reachOf(writer.stream, writer.pattern)) !== undefined) return { shape: writer, places: shape.places };
    }
    return undefined;
  }
  const other = await first((places) => places !== wanted.places);
  if (!other || (await of.reachOf(of.own, of.pattern)) !== undefined) return undefined;
  return (await first((places) => places === wanted.places)) ? undefined : other;
}

const PAGE = 1_000;
/** What a read costs, and a number that is compared with a pattern. */
const [READ, COMPARED] = [2_000, 3];

/**
 * Reads a stream when it is first asked for, once for all patterns of its writers; its end alone where it was written by one pattern, as
 * the last number says.
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
    const last = alone && !read.has(stream) ? await lastCountBy(store, stream, pattern) : undefined;
    if (last !== undefined) return last;
    const whole = read.get(stream) ?? readWhole(stream);
    read.set(stream, whole);
    return (await whole).get(pattern);
  };
}

/** The count of the series' last number, where that was written by the pattern. */
export async function lastCountBy(store: Context['store'], stream: string, pattern: string): Promise<number | undefined> {
  const [last] = await store.tail(stream, 1);
  const link = last?.data as NumberLink | undefined;
  return link && isTaken(link) && countIn(pattern, link.number) === link.seq ? link.seq : undefined;
}
