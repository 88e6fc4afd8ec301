import { Conflict, DomainError, type Ids, type Recorded, type Streams } from '@svc/kernel';
import type { Sequence } from '../sequence/sequence.ts';

export interface Numbered {
  document: string;
  seq: number;
}

export interface Actor {
  streams: Streams;
  sequence: Sequence;
  ids: Ids;
  account: string;
  series: string;
}

export const documentStream = (account: string, document: string): string => `invoice-test.${account}.${document}`;

/**
 * How an owner of documents numbers one, from its current state: 1. the request, with the series' revision as seen;
 * 2. the claim; 3. the number on the document. Any number of actors may do so concurrently. Throws where an outcome is unknown.
 */
export async function numberDocument({ streams, sequence, ids, account, series }: Actor, document: string): Promise<Numbered> {
  const stream = documentStream(account, document);
  const metadata = { account, env: 'test' as const };
  const requested =
    (await firstOf(stream, 0n)) ?? (await appended('none', 'NumberRequested', { seen: String(await sequence.head(series)) }));
  const { seen } = requested.data as { seen: string };
  const numbered = await firstOf(stream, 1n);
  if (numbered) return numbered.data as Numbered;

  const link = await sequence.take<Numbered>({
    stream: series,
    seen: seen === 'none' ? 'none' : BigInt(seen),
    document,
    type: 'NumberTaken',
    v: 1,
    metadata,
    link: (last) => ({ document, seq: (last?.seq ?? 0) + 1 }),
  });
  if (link instanceof DomainError) throw link;
  return (await appended(0n, 'Numbered', link)).data as Numbered;

  async function firstOf(of: string, from: bigint): Promise<Recorded | undefined> {
    return (await streams.read(of, from, 1))[0];
  }

  /** The event, or the one that another actor appended first. */
  async function appended(expected: bigint | 'none', type: string, data: object): Promise<{ data: object }> {
    try {
      await streams.append(stream, expected, [{ id: ids.next(), type, data, metadata: { ...metadata, v: 1 } }]);
      return { data };
    } catch (error) {
      const at = expected === 'none' ? 0n : expected + 1n;
      const other = error instanceof Conflict ? await firstOf(stream, at) : undefined;
      if (other) return other;
      throw error;
    }
  }
}
