/** Which record a link is of: a document's registration in one round, or its cancellation. */
export interface Linked {
  document: string;
  /** Of a cancellation: the sequence of its request; of an amendment its number, from 1. */
  round: number;
  /** `amend`: of a registered document. `restart`: no record, but that the chain begins anew behind it. */
  operation: 'register' | 'amend' | 'cancel' | 'restart';
}

/** What an authority's adapter makes of a record that is linked: its hash, and what the next record states of it, both in its own form. */
export interface Link {
  hash: string;
  cited: Readonly<Record<string, string>>;
}

/** A record's position in its chain, stored in the chain's stream. */
export interface ChainLink extends Linked, Link {
  /** Counts from 1 without gaps. */
  position: number;
  /** When it was linked (ISO 8601): never before the record that it follows. */
  at: string;
  /** Hash and citation of the record before; null: this is the first. */
  previous: (Link & Linked) | null;
  /** Of a chain that was begun anew: the installation of its records from there on. */
  installation?: string;
}

/**
 * The link after `last`. `make` gives its hash from the record before and the time, which is that of the record before where the clock is behind it.
 * @param now ISO 8601
 */
export function linkAfter(
  last: ChainLink | undefined,
  of: Linked,
  now: string,
  make: (previous: ChainLink['previous'], at: string) => Link,
): ChainLink {
  const at = last && last.at > now ? last.at : now;
  const previous = last && last.operation !== 'restart' ? citedBy(last) : null;
  const installation = last?.installation === undefined ? {} : { installation: last.installation };
  return { ...of, position: (last?.position ?? 0) + 1, at, previous, ...installation, ...make(previous, at) };
}

const citedBy = ({ document, round, operation, hash, cited }: ChainLink): Link & Linked => ({ document, round, operation, hash, cited });

export const isOf =
  ({ round, operation }: Omit<Linked, 'document'>) =>
  (link: Linked): boolean =>
    link.round === round && link.operation === operation;

/** That a chain begins anew, behind `last`: the record after it is a first one, of that installation. */
export const restartAfter = (last: ChainLink | undefined, of: Linked, now: string, installation: string): ChainLink => ({
  ...linkAfter(last, of, now, () => ({ hash: '', cited: {} })),
  previous: null,
  installation,
});
