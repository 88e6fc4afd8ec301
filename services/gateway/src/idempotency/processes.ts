import { hash } from 'node:crypto';
import { EARLY_MS, holdLease, TERM_MS, type DocumentStore, type Lease } from '@svc/document-store';
import { type Clock, type Ids, waitGoesOn } from '@svc/kernel';
import type { BackgroundWork, Logger } from '@svc/service';

/** The processes that share the keys. Each has a lease under its own name, which no other process competes for. */
export interface Processes {
  /** The name of this one; undefined: its lease is not held, so others would take it for gone. */
  own(): string | undefined;
  /** Whether the lease of a process has ended: it was killed, stands still, or does not reach the database. */
  isGone(process: string): Promise<boolean>;
  work: BackgroundWork;
}

export interface ProcessesOptions {
  documents: DocumentStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** As in `GatewayAdapters`. */
  holder?: string;
}

/** No claim of the process is in its lease any more, by far. */
const FORGOTTEN_MS = 24 * 3_600_000;

/** The name is new with each start: what a process of an earlier start had claimed is not this one's, and free at once where that had the same `holder`. */
export async function openProcesses({ documents, clock, ids, logger, holder = ids.next() }: ProcessesOptions): Promise<Processes> {
  const leases = documents.collection<Lease>('processes', { indexes: [{ fields: ['until'] }] });
  const family = `${hash('sha256', holder, 'base64url').slice(0, 12)} `;
  const name = `${family}${ids.next()}`;
  // Before the first request: what it claims names a process whose lease is stored.
  const until = clock.now() + TERM_MS;
  await leases.insert({ _id: name, version: 1, holder: name, until });
  let isHeld = (): boolean => clock.now() < until - EARLY_MS;

  /** Those of earlier starts: each start leaves one. */
  const forgetOthers = async (): Promise<void> => {
    const old = await Array.fromAsync(leases.find({ until: { $lt: clock.now() - FORGOTTEN_MS } }, { limit: 500 }));
    await leases.write(old.map(({ _id, version }) => ({ delete: _id, version })));
  };

  return {
    own: () => (isHeld() ? name : undefined),
    async isGone(process) {
      if (process !== name && process.startsWith(family)) return true;
      const lease = await leases.get(process);
      // One that runs has renewed it since the clock was set back.
      return lease === undefined || !waitGoesOn(lease.until, clock.now(), TERM_MS);
    },
    work: {
      name: 'processes',
      start() {
        const run = (lost: AbortSignal): Promise<void> => clock.sleep(Infinity, lost);
        const lease = holdLease({ leases, name, holder: name, clock, run, logger });
        const before = isHeld;
        isHeld = () => lease.held() || before();
        forgetOthers().catch((error: unknown) => logger.warn({ err: error }, 'leases of earlier processes stay until the next start'));
        return {
          stop() {
            isHeld = () => false;
            return lease.stop();
          },
        };
      },
    },
  };
}
