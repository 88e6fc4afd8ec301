import { createHash } from 'node:crypto';
import { Conflict, invalid, Refusal, type EventMetadata } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { streamOf } from '../streams.ts';
import { earlierElsewhere, rightfulWriter, type Wanting } from './earlier-numbers.ts';
import { isDivided, patternOf, shapeOf } from './format.ts';
import type { Numbering } from './numbering.ts';
import { TooMany, type PastWriter } from './past-writers.ts';

/** A series that wants to write numbers. */
export interface Writer {
  /** Whose it is, and what the claim carries. */
  metadata: Omit<EventMetadata, 'v'>;
  numbering: Pick<Numbering, 'stream' | 'series' | 'format' | 'year' | 'unit' | 'device'>;
}

/** Data of `PatternClaimed`, the one event of its stream: whoever is first has it for ever. */
export interface PatternClaimed {
  /** `INV-2026-{seq}`; of a shape `INV-#-#`. */
  pattern: string;
  /** The series' stream; of a shape the places of the count in it. Empty: nobody's, since numbers of an earlier release could come again. */
  holder: string;
  /** Whose numbering was first; empty where the pattern is nobody's. */
  series: string;
  unit: string | null;
  device: string | null;
}

/** Version of the shape of `PatternClaimed` as it is written today. */
export const PATTERN_CLAIMED = { type: 'PatternClaimed', v: 1 } as const;

export interface Patterns {
  /** Why the series cannot write numbers so; undefined: so far nothing is in the way, and nothing is claimed for it. */
  look(writer: Writer): Promise<Refusal | undefined>;
  /** The same, and where nothing is in the way the pattern belongs to the series from then on. */
  claim(writer: Writer): Promise<Refusal | undefined>;
}

type Tenant = Pick<EventMetadata, 'account' | 'env'>;
type Claims = Pick<InvoicingContext, 'store' | 'ids' | 'clock' | 'issuers'>;

/** Of claims that are remembered, in characters: some 40,000. A claim never changes. */
const KEPT_CHARACTERS = 8_000_000;
const MOST_FREE = 2_000;
const LONGEST_WAIT_MS = 1_000;

/**
 * No two series of an account and environment write one number, whatever settings change: before its first number by a pattern a series
 * claims it, by an append that expects no stream. So a number costs no append more, but for the first. Claimed and not used, after a
 * crash, is harmless.
 */
function createPatterns(context: Claims): Patterns {
  const { store, ids, clock } = context;
  const kept = new Map<string, PatternClaimed>();
  /** What was found free, for who asks again before the first number: the claim itself searches anew. */
  const free = new Set<string>();
  let characters = 0;

  const keyOf = ({ account, env }: Tenant, pattern: string): string => `${env}.${account}.${pattern}`;

  function keep(tenant: Tenant, claimed: PatternClaimed): PatternClaimed {
    if (characters > KEPT_CHARACTERS) {
      kept.clear();
      characters = 0;
    }
    const key = keyOf(tenant, claimed.pattern);
    characters += key.length + JSON.stringify(claimed).length;
    kept.set(key, claimed);
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
    throw new Refusal('service_unavailable', 'The numbers of this series are being settled. Repeat the request.', undefined, 1);
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

  /** Whose what nobody has claimed is, by the numbers that were written before there were claims. */
  async function rightful({ metadata, numbering }: Writer, { wanted, earlier }: Wanted): Promise<PatternClaimed> {
    const wanting = { tenant: metadata, own: numbering.stream, pattern: patternOf(numbering.format, numbering) };
    try {
      return await earlier(context, wanting);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      return { ...wanted, ...NOBODY };
    }
  }

  /** What is claimed costs a look each, so it comes before any search. */
  async function judged(writer: Writer, unclaimed: (claim: Wanted) => Promise<PatternClaimed>): Promise<Refusal | undefined> {
    const { metadata, numbering } = writer;
    if (!isDivided(numbering.format)) return undivided(numbering.format);
    const claims = claimsFor(numbering);
    for (const { wanted, refusal } of claims) {
      const held = await found(metadata, wanted.pattern);
      if (held && held.holder !== wanted.holder) return refusal(held);
    }
    for (const claim of claims) {
      const held = (await found(metadata, claim.wanted.pattern)) ?? (await unclaimed(claim));
      if (held.holder !== claim.wanted.holder) return claim.refusal(held);
    }
    return undefined;
  }

  /** What is another's is claimed in its name: no process searches for it again, and all say the same for ever. */
  async function looked(writer: Writer, claim: Wanted): Promise<PatternClaimed> {
    const { metadata, numbering } = writer;
    const { wanted } = claim;
    const key = JSON.stringify([keyOf(metadata, wanted.pattern), numbering.stream, patternOf(numbering.format, numbering)]);
    if (free.has(key)) return wanted;
    const held = await rightful(writer, claim);
    if (held.holder !== wanted.holder) return made(metadata, held);
    if (free.size >= MOST_FREE) free.clear();
    free.add(key);
    return wanted;
  }

  return {
    look: (writer) => judged(writer, (claim) => looked(writer, claim)),
    claim: (writer) => judged(writer, async (claim) => made(writer.metadata, await rightful(writer, claim))),
  };
}

const NOBODY = { holder: '', series: '', unit: null, device: null };
const isNobodys = ({ holder }: PatternClaimed): boolean => holder === NOBODY.holder;

interface Wanted {
  wanted: PatternClaimed;
  /** Whose it is while it is not claimed. Throws `TooMany`. */
  earlier(context: Claims, wanting: Wanting): Promise<PatternClaimed>;
  /** What is wrong when another has it, and what the caller can do. */
  refusal(held: PatternClaimed): Refusal;
}

/** The shape first: where the pattern is another's, that one has claimed the same shape before. */
function claimsFor({ stream, format, ...parts }: Writer['numbering']): Wanted[] {
  const { series, unit, device } = parts;
  const pattern = patternOf(format, parts);
  const shaped = shapeOf(pattern);
  const claim = (name: string, holder: string): PatternClaimed => ({ pattern: name, holder, series, unit, device });
  const byShape = (shape: string, places: string): Wanted => ({
    wanted: claim(shape, places),
    async earlier(context, wanting) {
      const other = await earlierElsewhere(context, wanting);
      return other ? { ...claimOf(other), pattern: shape, holder: shapeOf(other.pattern)?.places ?? '' } : claim(shape, places);
    },
    refusal: (held) => (isNobodys(held) ? notFree(held) : countsElsewhere(held)),
  });
  return [
    ...(shaped ? [byShape(shaped.shape, shaped.places)] : []),
    {
      wanted: claim(pattern, stream),
      async earlier(context, wanting) {
        const writer = await rightfulWriter(context, wanting);
        if (writer === 'nobody') return { pattern, ...NOBODY };
        return writer ? { ...claimOf(writer), pattern } : claim(pattern, stream);
      },
      refusal: (held) => (isNobodys(held) ? notFree(held) : repeats(held)),
    },
  ];
}

const claimOf = ({ stream, ...writer }: PastWriter): PatternClaimed => ({ ...writer, holder: stream });

/** By digest, since units and devices make patterns of any length and letters. */
const claimStream = ({ account, env }: Tenant, pattern: string): string =>
  streamOf('pattern', env, account, createHash('sha256').update(pattern).digest('hex'));

const undivided = (format: string): Refusal =>
  invalid({
    series: [
      `its number format ${format} is not served any more: {seq} has to be divided from what stands beside it by one of / - . _ ` +
        `Set another by PATCH /issuer.`,
    ],
  });

const repeats = (held: PatternClaimed): Refusal =>
  invalid({
    series: [
      `would repeat the numbers ${held.pattern} of ${named(held)}. Set a number format with {series}, {unit} or {device} in it by PATCH /issuer.`,
    ],
  });

const countsElsewhere = (held: PatternClaimed): Refusal =>
  invalid({
    series: [
      `counts at another place in ${held.pattern} than ${named(held)}, so that both could come to one number. ` +
        `Set a number format by PATCH /issuer that counts at the same place or divides its parts otherwise.`,
    ],
  });

const notFree = ({ pattern }: PatternClaimed): Refusal =>
  invalid({
    series: [
      `could repeat numbers that were given by an earlier format: ${pattern} is not used again. ` +
        `Set a number format by PATCH /issuer that was never set before.`,
    ],
  });

const named = ({ series, unit, device }: PatternClaimed): string =>
  [`series ${series}`, ...(unit === null ? [] : [`unit ${unit}`]), ...(device === null ? [] : [`device ${device}`])].join(', ');

const byStore = new WeakMap<InvoicingContext['store'], Patterns>();

/** The patterns that are claimed in a store, with one memory for all use cases. */
export function patternsOf(context: Claims): Patterns {
  const known = byStore.get(context.store) ?? createPatterns(context);
  byStore.set(context.store, known);
  return known;
}
