import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Conflict, invalid, DomainError, type EventMetadata, streamOf } from '@svc/kernel';
import type { NumberingContext } from './context.ts';
import { patternOf, shapeOf } from './domain/format.ts';
import type { Numbering } from './domain/numbering.ts';

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
  /** Of a pattern the stream of the series that holds it. Of a shape the places of the count in it, `2` or `0 2`. */
  holder: string;
  /** Code of the series for which it was claimed. */
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
type Claims = Pick<NumberingContext, 'store' | 'ids' | 'clock'>;

/** The size of the cache of claims, in characters: some 40,000 claims. A claim never changes. */
const KEPT_CHARACTERS = 8_000_000;
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

  async function look({ metadata, numbering }: Writer): Promise<DomainError | undefined> {
    for (const wanted of claimsFor(numbering)) {
      const held = await found(metadata, wanted.pattern);
      if (held && held.holder !== wanted.holder) return domainErrorOf(held);
    }
    return undefined;
  }

  async function claim({ metadata, numbering }: Writer): Promise<DomainError | undefined> {
    for (const wanted of claimsFor(numbering)) {
      const held = (await found(metadata, wanted.pattern)) ?? (await made(metadata, wanted));
      if (held.holder !== wanted.holder) return domainErrorOf(held);
    }
    return undefined;
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

/** By digest, since codes of units and devices may contain any letters. */
const claimStream = ({ account, env }: Tenant, pattern: string): string =>
  streamOf('pattern', env, account, createHash('sha256').update(pattern).digest('hex'));

/** Explains what another series holds, and what the caller can do. */
function domainErrorOf(held: PatternClaimed): DomainError {
  const { pattern } = held;
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

const unfit = (problem: string): DomainError => invalid({ series: [problem] });
const unsettled = (): DomainError =>
  new DomainError('service_unavailable', 'The numbers of this series are being settled. Repeat the request.', undefined, 1);

const named = ({ series, unit, device }: PatternClaimed): string =>
  [`series ${series}`, ...(unit === null ? [] : [`unit ${unit}`]), ...(device === null ? [] : [`device ${device}`])].join(', ');

const byStore = new WeakMap<NumberingContext['store'], Patterns>();

/** The claimed patterns of a store, with one cache for all use cases. */
export function patternsOf(context: Claims): Patterns {
  const known = byStore.get(context.store) ?? createPatterns(context);
  byStore.set(context.store, known);
  return known;
}
