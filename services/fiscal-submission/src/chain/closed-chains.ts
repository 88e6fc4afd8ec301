import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import { millisOf, timeOf, uidOf, type Env } from '@svc/kernel';

/** A chain that may have records which the restored store does not know. `_id`: its stream. */
export interface ChainRow extends Doc {
  account: string;
  env: Env;
  authority: string;
  /** Of the issuer. */
  tax_id: string;
  /** The restore after which it was noted (ISO 8601). A row of an earlier one says nothing. */
  restored: string;
  /** An operator has said how it goes on. */
  open: boolean;
}

export type ChainRows = Collection<ChainRow>;
export const CHAIN_ROWS = 'chains_after_restore';
export const chainRowIndexes = [{ fields: ['restored', 'open', '_id'] }, { fields: ['authority', 'env', 'restored', 'open'] }];

/** Which chain it is, and whose. */
export type NamedChain = Pick<ChainRow, 'account' | 'env' | 'authority' | 'tax_id'> & { stream: string };

/** Which chains take no records. */
export interface ClosedChains {
  /** Whether the chain is closed: then it is noted, so that operators find it. */
  isClosed(chain: NamedChain): Promise<boolean>;
}

export const noClosedChains: ClosedChains = { isClosed: async () => false };

/**
 * After a restore every chain is closed until an operator says how it goes on: the authority may have records that were linked after the backup, and another one
 * behind the same record would break the chain. A chain of an account that was opened after the restore has none.
 */
export function closedChains({ at }: { at: string }, rows: ChainRows): ClosedChains {
  const opened = new Set<string>();
  return {
    async isClosed({ stream, ...of }) {
      const uid = uidOf('acct', of.account);
      if (opened.has(stream) || (uid !== undefined && timeOf(uid) > millisOf(at))) return false;
      const noted = { restored: at, open: false };
      const { doc } = await compareAndSet<ChainRow, ChainRow>(rows, stream, {
        absent: () => ({ _id: stream, version: 1, ...of, ...noted }),
        change: (row) => (row.restored === at ? undefined : noted),
      });
      if (doc.open) opened.add(stream);
      return !doc.open;
    },
  };
}
