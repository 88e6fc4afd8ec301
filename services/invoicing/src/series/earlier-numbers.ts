import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InvoicingContext } from '../context.ts';
import { countIn, openOf, shapeOf } from './format.ts';
import { isTaken, type NumberLink } from './numbering.ts';
import { likelyCodes, pastWriters, type PastWriter, type Tenant } from './past-writers.ts';

type Context = Pick<InvoicingContext, 'store' | 'issuers' | 'clock'>;

/** A series that wants a pattern which is not claimed. `own`: its stream. */
export interface Wanting {
  tenant: Tenant;
  own: string;
  pattern: string;
}

const PAGE = 1_000;

/**
 * The highest count of the series' numbers that read as ones of `pattern`, whichever pattern they were written by; undefined: there is
 * none. Reads the whole series, but where its last number was written by the pattern itself. Others have their turn after each page.
 */
async function reachOf({ store }: Context, { stream, pattern: by }: Pick<PastWriter, 'stream' | 'pattern'>, pattern: string) {
  const [last] = await store.tail(stream, 1);
  if (!last) return undefined;
  const { number, seq } = last.data as { number?: string; seq: number };
  if (by === pattern && number !== undefined && countIn(pattern, number) === seq) return seq;
  let highest: number | undefined;
  for (let from = 0n; ; from += BigInt(PAGE)) {
    const page = await store.read(stream, from, PAGE);
    for (const { data } of page) {
      const link = data as NumberLink;
      const count = isTaken(link) ? countIn(pattern, link.number) : undefined;
      if (count !== undefined && count > (highest ?? -1)) highest = count;
    }
    if (page.length < PAGE) return highest;
    await nextTurn();
  }
}

/**
 * Who may write numbers by the pattern after those that were written before patterns were claimed: the series that came furthest, so that
 * its next number is beyond all of them; `nobody` where that one, too, would meet an earlier number; undefined: the one that wants it.
 */
export async function rightfulWriter(context: Context, { tenant, own, pattern }: Wanting): Promise<PastWriter | 'nobody' | undefined> {
  const none = { stream: own, pattern, series: '', unit: null, device: null };
  let [furthest, reach]: [PastWriter, number] = [none, (await reachOf(context, none, pattern)) ?? -1];
  for await (const writer of pastWriters(context, { tenant, pattern, codes: likelyCodes(pattern, context.clock.now()) })) {
    const count = (await reachOf(context, writer, pattern)) ?? -1;
    if (count > reach) [furthest, reach] = [writer, count];
  }
  const [last] = await context.store.tail(furthest.stream, 1);
  if (last && reach > (last.data as NumberLink).seq) return 'nobody';
  return furthest.stream === own ? undefined : furthest;
}

/**
 * A series that counted at other places in the shape of the pattern before shapes were claimed, where none did at the places that are
 * wanted; undefined: there is none.
 */
export async function earlierElsewhere(context: Context, { tenant, own, pattern }: Wanting): Promise<PastWriter | undefined> {
  const wanted = shapeOf(pattern);
  async function first(isAt: (places: string) => boolean): Promise<PastWriter | undefined> {
    const search = { tenant, pattern: openOf(pattern), codes: likelyCodes(pattern, context.clock.now()), isAt };
    for await (const writer of pastWriters(context, search)) {
      if (shapeOf(writer.pattern)?.shape !== wanted?.shape) continue;
      if ((await reachOf(context, writer, writer.pattern)) !== undefined) return writer;
    }
    return undefined;
  }
  const other = await first((places) => places !== wanted?.places);
  if (!other || (await reachOf(context, { stream: own, pattern }, pattern)) !== undefined) return undefined;
  return (await first((places) => places === wanted?.places)) ? undefined : other;
}
