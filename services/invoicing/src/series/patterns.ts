import { createHash } from 'node:crypto';
import { Conflict, invalid, Refusal, type EventMetadata } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { streamOf } from '../streams.ts';
import { earlierWriter, hasWritten } from './earlier-numbers.ts';
import { isDivided, patternOf, shapeOf } from './format.ts';
import type { Numbering } from './numbering.ts';

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
  /** The series' stream; of a shape the places of the count in it. */
  holder: string;
  /** Whose numbering was first. */
  series: string;
  unit: string | null;
  device: string | null;
}

/** Version of the shape of `PatternClaimed` as it is written today. */
export const PATTERN_CLAIMED = { type: 'PatternClaimed', v: 1 } as const;

export interface Patterns {
  /** Why the series cannot write numbers so; undefined: so far nothing is in the way. Writes nothing. */
  look(writer: Writer): Promise<Refusal | undefined>;
  /** The same, and where nothing is in the way the pattern belongs to the series from then on. */
  claim(writer: Writer): Promise<Refusal | undefined>;
}

type Tenant = Pick<EventMetadata, 'account' | 'env'>;
type Claims = Pick<InvoicingContext, 'store' | 'ids' | 'clock' | 'issuers'>;

/** Of claims that are remembered, in characters: some 40,000. A claim never changes. */
const KEPT_CHARACTERS = 8_000_000;
const LONGEST_WAIT_MS = 1_000;

/**
 * No two series of an account and environment write one number, whatever settings change: before its first number by a pattern a series
 * claims it, by an append that expects no stream. So a number costs no append more, but for the first. Claimed and not used, after a
 * crash, is harmless.
 */
function createPatterns(context: Claims): Patterns {
  const { store, ids, clock } = context;
  const kept = new Map<string, PatternClaimed>();
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

  /** Whose the pattern is that nobody has claimed: of the series that wrote numbers by it before patterns were claimed, also where that is over. */
  async function rightful({ metadata, numbering }: Writer, wanted: PatternClaimed): Promise<PatternClaimed> {
    const { pattern, holder } = wanted;
    if (holder !== numbering.stream) return wanted;
    const earlier = await earlierWriter(context, { tenant: metadata, own: holder, pattern });
    if (!earlier || (await hasWritten(context, holder, pattern))) return wanted;
    const { stream, ...by } = earlier;
    return { pattern, holder: stream, ...by };
  }

  async function judged(writer: Writer, unclaimed: (rightful: PatternClaimed) => Promise<PatternClaimed>): Promise<Refusal | undefined> {
    const { metadata, numbering } = writer;
    if (!isDivided(numbering.format)) return undivided(numbering.format);
    for (const { wanted, refusal } of claimsFor(numbering)) {
      const held = (await found(metadata, wanted.pattern)) ?? (await unclaimed(await rightful(writer, wanted)));
      if (held.holder !== wanted.holder) return refusal(held);
    }
    return undefined;
  }

  return {
    // What an earlier release wrote stays written: looked for once, not at every try of a series that is refused for it.
    look: (writer) => judged(writer, async (claim) => (isOfAnother(claim, writer) ? keep(writer.metadata, claim) : claim)),
    claim: (writer) => judged(writer, (claim) => made(writer.metadata, claim)),
  };
}

const isOfAnother = ({ holder, pattern }: PatternClaimed, { numbering }: Writer): boolean =>
  holder !== numbering.stream && pattern === patternOf(numbering.format, numbering);

interface Wanted {
  wanted: PatternClaimed;
  /** What is wrong when another has it, and what the caller can do. */
  refusal(held: PatternClaimed): Refusal;
}

/** The shape first: where the pattern is another's, that one has claimed the same shape before. */
function claimsFor({ stream, format, ...parts }: Writer['numbering']): Wanted[] {
  const { series, unit, device } = parts;
  const pattern = patternOf(format, parts);
  const shaped = shapeOf(pattern);
  const claim = (name: string, holder: string): PatternClaimed => ({ pattern: name, holder, series, unit, device });
  return [
    ...(shaped ? [{ wanted: claim(shaped.shape, shaped.places), refusal: couldMeet }] : []),
    { wanted: claim(pattern, stream), refusal: repeats },
  ];
}

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

const couldMeet = (held: PatternClaimed): Refusal =>
  invalid({
    series: [
      `counts at another place in ${held.pattern} than ${named(held)}, so that both could come to one number. ` +
        `Set a number format by PATCH /issuer that counts at the same place or divides its parts otherwise.`,
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
