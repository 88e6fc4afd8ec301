import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Conflict, invalid, DomainError, type EventMetadata, streamOf } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { earlierHolder, lastCountBy } from './earlier-numbers.ts';
import { isDivided, patternOf, shapeOf } from './domain/format.ts';
import type { Numbering } from './domain/numbering.ts';
import type { PastWriter } from './past-writers.ts';
import { TooMany } from './search-budget.ts';

/** A series that wants to write numbers. */
export interface Writer {
  /** Whose it is, and what the claim carries. */
  metadata: Omit<EventMetadata, 'v'>;
  numbering: Pick<Numbering, 'stream' | 'series' | 'format' | 'year' | 'unit' | 'device'>;
}

/** Data of `PatternClaimed`, the one event of its stream: whoever is first has it for ever. What is claimed is a pattern or a shape. */
export interface PatternClaimed {
  /** The pattern, `INV-2026-{seq}`, or the shape, `INV-#-#`. */
  pattern: string;
  /** Of a pattern the stream of the series that has it; empty: nobody's. Of a shape the places of the count in it, `2` or `0 2`. */
  holder: string;
  /** Code of the series for which it was claimed; empty where it is nobody's. */
  series: string;
  /** Unit and till of that series, where it counts by them. */
  unit: string | null;
  device: string | null;
}

/** Version of the shape of `PatternClaimed` as it is written today. */
export const PATTERN_CLAIMED = { type: 'PatternClaimed', v: 1 } as const;

export interface Patterns {
  /** Why the series cannot write numbers so; undefined: so far nothing is in the way, and nothing is claimed for it. */
  look(writer: Writer): Promise<DomainError | undefined>;
  /** The same, and where nothing is in the way the pattern belongs to the series from then on. */
  claim(writer: Writer): Promise<DomainError | undefined>;
}

type Tenant = Pick<EventMetadata, 'account' | 'env'>;
type Claims = Pick<InvoicingContext, 'store' | 'ids' | 'clock' | 'issuers'>;

/** Of claims that are remembered, in characters: some 40,000. A claim never changes. */
const KEPT_CHARACTERS = 8_000_000;
const MOST_LOOKED = 2_000;
/** Searches of one account and environment, of which one runs and the others wait. */
const MOST_SEARCHES = 500;
const LONGEST_WAIT_MS = 1_000;

/**
 * No two series of an account and environment write one number, whatever settings change: before its first number by a pattern a series
 * claims it, by an append that expects no stream. So a number costs no append more, but for the first. Claimed and not used, after a
 * crash, is harmless.
 */
function createPatterns(context: Claims): Patterns {
  const { store, ids, clock } = context;
  const kept = new LRUCache<string, PatternClaimed>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (claimed, key) => key.length + JSON.stringify(claimed).length,
  });
  /** What a look found free, for who asks again before the first number, and what was too much to search. */
  const looked = new LRUCache<string, 'free' | 'too many'>({ max: MOST_LOOKED });
  /** Those under way, by tenant, in the order in which they run. */
  const searches = new Map<string, Map<string, Promise<PatternClaimed | undefined>>>();

  const tenantOf = ({ account, env }: Tenant): string => `${env}.${account}`;
  const keyOf = (tenant: Tenant, pattern: string): string => `${tenantOf(tenant)}.${pattern}`;

  function keep(tenant: Tenant, claimed: PatternClaimed): PatternClaimed {
    kept.set(keyOf(tenant, claimed.pattern), claimed);
    return claimed;
  }

  async function found(tenant: Tenant, pattern: string): Promise<PatternClaimed | undefined> {
    const known = kept.get(keyOf(tenant, pattern));
    if (known) return known;
    const [event] = await store.read(claimStream(tenant, pattern), 0n, 1);
    return event && keep(tenant, event.data as PatternClaimed);
  }

  /** A conflict can be told before its cause can be read. */
  async function foundSoon(tenant: Tenant, pattern: string): Promise<PatternClaimed> {
    for (let wait = 5; wait <= LONGEST_WAIT_MS; wait *= 2) {
      const claimed = await found(tenant, pattern);
      if (claimed) return claimed;
      await clock.sleep(wait);
    }
    throw unsettled();
  }

  async function made(metadata: Writer['metadata'], wanted: PatternClaimed): Promise<PatternClaimed> {
    const { type, v } = PATTERN_CLAIMED;
    try {
      const event = { id: ids.next(), type, data: wanted, metadata: { ...metadata, v } };
      await store.append(claimStream(metadata, wanted.pattern), 'none', [event]);
      return keep(metadata, wanted);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      return foundSoon(metadata, wanted.pattern);
    }
  }

  /** One search at a time for each tenant, and what several ask for at once is searched once. Undefined: it is the writer's. */
  function searched(writer: Writer, unclaimed: readonly PatternClaimed[]): Promise<PatternClaimed | undefined> {
    const [tenant, search] = [tenantOf(writer.metadata), JSON.stringify([writer.numbering.stream, unclaimed])];
    const running = searches.get(tenant) ?? new Map<string, Promise<PatternClaimed | undefined>>();
    const same = running.get(search);
    if (same) return same;
    if (running.size >= MOST_SEARCHES) return Promise.reject(unsettled());
    const before = [...running.values()].at(-1);
    const result = Promise.allSettled([before])
      .then(() => anothers(context, writer, unclaimed))
      .finally(() => {
        running.delete(search);
        if (running.size === 0) searches.delete(tenant);
      });
    searches.set(tenant, running.set(search, result));
    return result;
  }

  /** What of the writer's claims nobody has yet; a refusal where another has one. */
  async function unclaimedOf({ metadata, numbering }: Writer): Promise<PatternClaimed[] | DomainError> {
    if (!isDivided(numbering.format)) return undivided(numbering.format);
    const unclaimed: PatternClaimed[] = [];
    for (const claim of claimsFor(numbering)) {
      const held = await found(metadata, claim.pattern);
      if (held && held.holder !== claim.holder) return domainErrorOf(held);
      if (!held) unclaimed.push(claim);
    }
    return unclaimed;
  }

  /** Each turn but the last makes a claim. What is another's is claimed in its name: no process searches for it again, and all say the same for ever. */
  async function look(writer: Writer): Promise<DomainError | undefined> {
    for (;;) {
      const unclaimed = await unclaimedOf(writer);
      if (unclaimed instanceof DomainError) return unclaimed;
      const search = JSON.stringify([tenantOf(writer.metadata), unclaimed]);
      if (unclaimed.length === 0 || looked.get(search) === 'free') return undefined;
      if (looked.get(search) === 'too many') return tooMany(writer.numbering);
      const others = await searched(writer, unclaimed).catch(tooManyOf);
      if (others && others !== 'too many') await made(writer.metadata, others);
      else {
        looked.set(search, others ?? 'free');
      }
    }
  }

  /** Whoever comes here was let in by a look, or by a release that does not look: where it is too much to search, the writer has it. */
  async function claim(writer: Writer): Promise<DomainError | undefined> {
    for (;;) {
      const unclaimed = await unclaimedOf(writer);
      if (unclaimed instanceof DomainError) return unclaimed;
      if (unclaimed.length === 0) return undefined;
      const others = await searched(writer, unclaimed).catch(tooManyOf);
      for (const wanted of others && others !== 'too many' ? [others] : unclaimed) {
        const held = await made(writer.metadata, wanted);
        if (held.holder !== wanted.holder) break;
      }
    }
  }

  return { look, claim };
}

/** What a series needs before its first number by a pattern. The shape first: where the pattern is another's, that one has claimed the same shape before. */
function claimsFor({ stream, format, ...parts }: Writer['numbering']): PatternClaimed[] {
  const { series, unit, device } = parts;
  const pattern = patternOf(format, parts);
  const shaped = shapeOf(pattern);
  return [
    ...(shaped ? [{ pattern: shaped.shape, holder: shaped.places, series, unit, device }] : []),
    { pattern, holder: stream, series, unit, device },
  ];
}

/**
 * Whose what is not claimed is by the numbers that were written before there were claims; undefined: the writer's. Where that is too much
 * to find out, who wrote by the pattern goes on; throws `TooMany` where it is new.
 */
async function anothers(
  context: Claims,
  { metadata, numbering }: Writer,
  unclaimed: readonly PatternClaimed[],
): Promise<PatternClaimed | undefined> {
  const pattern = patternOf(numbering.format, numbering);
  const shape = shapeOf(pattern);
  const open = unclaimed.some((claim) => claim.pattern === shape?.shape) ? shape : undefined;
  try {
    const holder = await earlierHolder(context, { tenant: metadata, own: numbering.stream, pattern, shape: open });
    if (holder === undefined) return undefined;
    if (holder === 'nobody') return { pattern, ...NOBODY };
    if ('pattern' in holder) return { ...claimOf(holder.pattern), pattern };
    return { ...claimOf(holder.shape), pattern: shape?.shape ?? pattern, holder: holder.places };
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    if ((await lastCountBy(context.store, numbering.stream, pattern)) === undefined) throw error;
    return undefined;
  }
}

const NOBODY = { holder: '', series: '', unit: null, device: null };

const claimOf = ({ stream, ...writer }: PastWriter): PatternClaimed => ({ ...writer, holder: stream });

/** By digest, since units and devices make patterns of any length and letters. */
const claimStream = ({ account, env }: Tenant, pattern: string): string =>
  streamOf('pattern', env, account, createHash('sha256').update(pattern).digest('hex'));

/** What is wrong when another has what is wanted, and what the caller can do. */
function domainErrorOf(held: PatternClaimed): DomainError {
  const { pattern, holder } = held;
  if (holder === NOBODY.holder) {
    return unfit(
      `could repeat earlier numbers: ${pattern} is not used. Set a number format by PATCH /issuer that divides its parts otherwise.`,
    );
  }
  if (pattern.includes('{seq}')) {
    return unfit(
      `would repeat the numbers ${pattern} of ${named(held)}. Set a number format with {series}, {unit} or {device} in it by PATCH /issuer.`,
    );
  }
  return unfit(
    `counts at another place in ${pattern} than ${named(held)}, so that both could come to one number. ` +
      `Set a number format by PATCH /issuer that counts at the same place or divides its parts otherwise.`,
  );
}

const undivided = (format: string): DomainError =>
  unfit(
    `its number format ${format} is not served any more: {seq} has to be divided from what stands beside it by one of / - . _ ` +
      `Set another by PATCH /issuer.`,
  );

const tooMany = ({ format }: Writer['numbering']): DomainError =>
  unfit(
    `could repeat earlier numbers by ${format}, of which there are too many to tell. Set a number format by PATCH /issuer that divides its parts otherwise.`,
  );

const tooManyOf = (error: unknown): 'too many' => {
  if (error instanceof TooMany) return 'too many';
  throw error;
};

const unfit = (problem: string): DomainError => invalid({ series: [problem] });
const unsettled = (): DomainError =>
  new DomainError('service_unavailable', 'The numbers of this series are being settled. Repeat the request.', undefined, 1);

const named = ({ series, unit, device }: PatternClaimed): string =>
  [`series ${series}`, ...(unit === null ? [] : [`unit ${unit}`]), ...(device === null ? [] : [`device ${device}`])].join(', ');

const byStore = new WeakMap<InvoicingContext['store'], Patterns>();

/** The patterns that are claimed in a store, with one memory for all use cases. */
export function patternsOf(context: Claims): Patterns {
  const known = byStore.get(context.store) ?? createPatterns(context);
  byStore.set(context.store, known);
  return known;
}
