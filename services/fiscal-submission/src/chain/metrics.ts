import type { Env } from '@svc/kernel';
import { Gauge } from '@svc/service';
import type { ChainRows } from './closed-chains.ts';

interface Measured {
  rows: Pick<ChainRows, 'count'>;
  /** When the system was restored (ISO 8601); undefined: it was not, and no chain is closed. */
  restoredAt: string | undefined;
  /** Ids of authorities whose records are chained. */
  chained: Readonly<Record<Env, readonly string[]>>;
}

let measured: Measured | undefined;

const ENVIRONMENTS: readonly Env[] = ['live', 'test'];

new Gauge({
  name: 'svc_chains_closed',
  help: 'Chains of records that documents wait for: the system was restored, and no operator has said how they go on',
  labelNames: ['authority', 'env'],
  async collect() {
    if (!measured) return;
    const { rows, restoredAt: restored, chained } = measured;
    for (const env of ENVIRONMENTS)
      for (const authority of chained[env])
        this.set(
          { authority, env },
          restored === undefined ? 0 : await rows.count({ authority, env, restored, open: false, awaited: true }),
        );
  },
});

/** Exports how many chains are closed after the restore, of those that a document has asked for. */
export function measureClosedChains(of: Measured): void {
  measured = of;
}
