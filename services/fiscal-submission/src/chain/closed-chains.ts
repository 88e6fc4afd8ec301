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
  /** A document has asked for it. */
  awaited: boolean;
}

export type ChainRows = Collection<ChainRow>;
export const CHAIN_ROWS = 'chains_after_restore';
export const chainRowIndexes = [{ fields: ['restored', 'open', '_id'] }, { fields: ['authority', 'env', 'restored', 'open', 'awaited'] }];

/** Which chain it is, and whose. */
export type NamedChain = Pick<ChainRow, 'account' | 'env' | 'authority' | 'tax_id'> & { stream: string };

/** Which chains take no records. */
export interface ClosedChains {
  /** Notes a chain that the restored store has, so that operators find it before a document asks for it. */
  note(chain: NamedChain): Promise<void>;
  /** Whether the chain is closed: then it is noted that a document asks for it. */
  isClosed(chain: NamedChain): Promise<boolean>;
}

export const noClosedChains: ClosedChains = { note: async () => undefined, isClosed: async () => false };

/**
 * After a restore every chain is closed until an operator says how it goes on: the authority may have records that were linked after the backup, and another one
 * behind the same record would break the chain. A chain of an account that was opened after the restore has none.
 */
export function closedChains({ at }: { at: string }, rows: ChainRows): ClosedChains {
  const opened = new Set<string>();
  const noted = new Set<string>();

  const isOfLater = ({ account }: NamedChain): boolean => {
    const uid = uidOf('acct', account);
    return uid !== undefined && timeOf(uid) > millisOf(at);
  };

  async function row({ stream, ...of }: NamedChain, awaited: boolean): Promise<ChainRow> {
    const found = { restored: at, open: false, awaited };
    const { doc } = await compareAndSet<ChainRow, ChainRow>(rows, stream, {
      absent: () => ({ _id: stream, version: 1, ...of, ...found }),
      change(before) {
        if (before.restored !== at) return found;
        return awaited && !before.awaited ? { awaited } : undefined;
      },
    });
    return doc;
  }

  return {
    async note(chain) {
      if (noted.has(chain.stream) || isOfLater(chain)) return;
      await row(chain, false);
      noted.add(chain.stream);
    },
    async isClosed(chain) {
      if (opened.has(chain.stream) || isOfLater(chain)) return false;
      const { open } = await row(chain, true);
      if (open) opened.add(chain.stream);
      return !open;
    },
  };
}
