import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Conflict, invalid, DomainError, type EventMetadata, streamOf } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { earlierHolder, lastCountBy } from './earlier-numbers.ts';
import { isDivided, patternOf, shapeOf } from './domain/format.ts';
import type { Numbering } from './domain/numbering.ts';
import type { PastWriter } from './past-writers.ts';
import { TooMany } from './search-budget.ts';

/** A series that requests numbers. */
export interface Writer {
  /** Its account and environment, stored with the claim. */
  metadata: Omit<EventMetadata, 'v'>;
  numbering: Pick<Numbering, 'stream' | 'series' | 'format' | 'year' | 'unit' | 'device'>;
}

/** Data of `PatternClaimed`, the one event of its stream: the first claim is permanent. What is claimed is a pattern or a shape. */
export interface PatternClaimed {
  /** The pattern, `INV-2026-{seq}`, or the shape, `INV-#-#`. */
  pattern: string;
  /** Of a pattern the stream of the series that holds it; empty: nobody may use it. Of a shape the places of the count in it, `2` or `0 2`. */
  holder: string;
  /** Code of the series for which it was claimed; empty where nobody may use it. */
  series: string;
  /** Unit and till of that series, where it counts by them. */
  unit: string | null;
  device: string | null;
}

/** The version of `PatternClaimed` that is written today. */
export const PATTERN_CLAIMED = { type: 'PatternClaimed', v: 1 } as const;

export interface Patterns {
  /** Why the series cannot use the pattern; undefined: it can so far, and nothing is claimed. */
  look(writer: Writer): Promise<DomainError | undefined>;
  /** The same; where the series can use the pattern, it holds it from then on. */
  claim(writer: Writer): Promise<DomainError | undefined>;
}

type Tenant = Pick<EventMetadata, 'account' | 'env'>;
type Claims = Pick<InvoicingContext, 'store' | 'ids' | 'clock' | 'issuers'>;

/** The size of the cache of claims, in characters: some 40,000 claims. A claim never changes. */
const KEPT_CHARACTERS = 8_000_000;
const MOST_LOOKED = 2_000;
/** The most searches of one account and environment, of which one runs and the others wait. */
const MOST_SEARCHES = 500;
const LONGEST_WAIT_MS = 1_000;

/**
 * No two series of an account and environment write the same number, whatever settings change: before its first number by a pattern a
 * series claims the pattern, by an append that expects no stream. So only the first number costs a further append. A claim that a crash
 * leaves unused is harmless.
 */
function createPatterns(context: Claims): Patterns {
  const { store, ids, clock } = context;
  const kept = new LRUCache<string, PatternClaimed>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (claimed, key) => key.length + JSON.stringify(claimed).length,
  });
  /** Patterns that `look` found free, for repeated requests before the first number, and those with too much to search. */
  const looked = new LRUCache<string, 'free' | 'too many'>({ max: MOST_LOOKED });
  /** Searches in progress, by tenant, in the order in which they run. */
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

  /** A conflict can be reported before its cause can be read. */
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

  /** Runs one search at a time for each tenant; concurrent requests for the same search share it. Undefined: the writer may have it. */
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

  /** The writer's claims that are still free; a domain error where another series holds one. */
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

  /**
   * Each iteration but the last makes a claim. What belongs to another series is claimed in its name, so that no process searches for it again and all get the
   * same result.
   */
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

  /** Callers were admitted by `look`, or by a release that does not look: where there is too much to search, the writer gets the claim. */
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

/** The claims that a series needs before its first number by a pattern, the shape first: the holder of the pattern has claimed the same shape before. */
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
 * Decides by the numbers from before there were claims who holds what is unclaimed; undefined: the writer. Where there is too much to
 * search, a series that already used the pattern continues; throws `TooMany` for a new one.
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

/** By digest, since codes of units and devices may contain any letters. */
const claimStream = ({ account, env }: Tenant, pattern: string): string =>
  streamOf('pattern', env, account, createHash('sha256').update(pattern).digest('hex'));

/** Explains what another series holds, and what the caller can do. */
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

/** The claimed patterns of a store, with one cache for all use cases. */
export function patternsOf(context: Claims): Patterns {
  const known = byStore.get(context.store) ?? createPatterns(context);
  byStore.set(context.store, known);
  return known;
}
