import { createSequence } from '@svc/event-store';
import { DomainError, streamOf, storedEvents, type Clock, type Env, type EventMetadata, type Ids, type Streams } from '@svc/kernel';
import { isOf, linkAfter, restartAfter, type ChainLink, type Link, type Linked } from './domain/link.ts';

const CATEGORY = 'chain';

export type ChainEvent = { type: 'RecordChained'; data: ChainLink };

export const chainEvents = storedEvents<ChainEvent>({ RecordChained: 1 });

export interface Chaining {
  /** The chain's stream. */
  chain: string;
  /** What `head` returned before the link was asked for, which is stored by then. */
  seen: string;
  of: Linked;
  /** ISO 8601 */
  now: string;
  metadata: Omit<EventMetadata, 'v'>;
  /** The hash of the record behind `previous`, and what the next one states of it; pure, may be called several times. */
  make: (previous: ChainLink['previous'], at: string) => Link;
}

/** Chains of records: one stream each, which holds their links alone. */
export interface Chains {
  /** A revision that the chain has reached, as text: valid as `seen`. */
  head(chain: string): Promise<string>;
  /** Begins the chain anew, with an installation that was never used. Throws as `take`. */
  restart(restarting: Pick<Chaining, 'chain' | 'now' | 'metadata'> & { installation: string }): Promise<ChainLink>;
  /** The record's one link, found or made. Throws `OutcomeUnknown` and `service_unavailable`; the same call may then be repeated. */
  take(chaining: Chaining): Promise<ChainLink>;
}

/** `chain-<env>.<account>.<authority>.<installation>.<tax id>`: one an issuer, installation and authority. The last two are letters and digits. */
export const chainStream = (env: Env, account: string, of: { authority: string; installation: string; taxId: string }): string =>
  streamOf(CATEGORY, env, account, `${of.authority}.${of.installation}.${of.taxId}`);

/**
 * Chains on the shared sequence: a link is claimed by an append at exactly the revision that was read, so that a record has one position whatever the number of
 * processes and wherever each of them ends.
 */
export function createChains({ streams, ids, clock }: { streams: Streams; ids: Ids; clock: Clock }): Chains {
  const sequence = createSequence({ streams, ids, clock });
  return {
    head: async (chain) => String(await sequence.head(chain)),
    async restart({ chain, installation, now, metadata }) {
      const of = { document: `restart ${installation}`, round: 1, operation: 'restart' as const };
      const link = await sequence.take<ChainLink>({
        ...{ stream: chain, seen: await sequence.head(chain), document: of.document, metadata },
        ...{ type: 'RecordChained', v: chainEvents.versions.RecordChained },
        link: (last) => restartAfter(last, of, now, installation),
      });
      if (link instanceof DomainError) throw link;
      return link;
    },
    async take({ chain, seen, of, now, metadata, make }) {
      const link = await sequence.take<ChainLink>({
        stream: chain,
        seen: seen === 'none' ? 'none' : BigInt(seen),
        document: of.document,
        type: 'RecordChained',
        v: chainEvents.versions.RecordChained,
        metadata,
        answers: isOf(of),
        link: (last) => linkAfter(last, of, now, make),
      });
      if (link instanceof DomainError) throw link;
      return link;
    },
  };
}
