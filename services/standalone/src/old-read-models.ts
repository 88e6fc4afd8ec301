import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentStore } from '@svc/document-store';
import type { Checkpoint, EventStore, StartableProjections } from '@svc/event-store';
import { dropProjections, earlierOf, oldProjections } from '@svc/event-store/projection/old-projections';
import { servedProjections } from '@svc/invoicing';
import type { Logger } from '@svc/service';
import { StartError } from '@svc/service/process/start-error';

const MIB = 1_048_576;
const TELL_MS = 5_000;

/** The read models of earlier releases in a data folder. Throws a `StartError` where its disk is too full to build this release's beside them. */
export async function findOldReadModels(documents: DocumentStore, folder: string): Promise<string[]> {
  const old = await oldProjections(documents, servedProjections);
  const checkpoints = documents.collection<Checkpoint>('checkpoints');
  const begun = await Promise.all(servedProjections.map(({ name }) => checkpoints.get(name)));
  if (old.length === 0 || begun.some((checkpoint) => checkpoint !== undefined)) return old; // A start before this one has checked.
  // They hold less than half of a data folder, and what replaces them is not larger.
  const [{ size }, disk] = await Promise.all([stat(join(folder, 'data.sqlite')), statfs(folder)]);
  const [needed, free] = [Math.ceil(size / 2 / MIB), Math.floor((disk.bavail * disk.bsize) / MIB)];
  if (free < needed)
    throw new StartError(
      `DATA_DIR ${folder}: lists are built anew by this release, for which ${needed} MiB must be free; there are ${free} MiB`,
    );
  return old;
}

export interface ReplaceOptions {
  documents: DocumentStore;
  /** As found at the start. */
  old: readonly string[];
  projections: StartableProjections;
  store: Pick<EventStore, 'head'>;
  logger: Logger;
}

/**
 * Waits 5 s for this release's read models: those of a small folder are built then. Has lists read from the earlier ones where they take longer.
 */
export async function serveOldReadModels({ old, projections, store, logger }: ReplaceOptions): Promise<void> {
  if (old.length === 0) return;
  const head = await store.head();
  const isBuilt = await Promise.all(servedProjections.map((projection) => projections.of(projection).subscription.waitFor(head, TELL_MS)));
  for (const [n, projection] of servedProjections.entries()) {
    const earlier = isBuilt[n] ? undefined : earlierOf(projection, old);
    if (earlier === undefined) continue;
    logger.info(
      { readModel: projection.name, earlier },
      'lists are being built anew; meanwhile they are read from those of the earlier release',
    );
    projections.serveEarlier(projection, earlier);
  }
}

/**
 * Logs how far this release's read models are, and removes the earlier ones once these are built: no other process uses them. A process that ends
 * before goes on at its next start.
 */
export async function replaceReadModels({ documents, old, projections, store, logger }: ReplaceOptions): Promise<void> {
  if (old.length === 0) return;
  const head = await store.head();
  for (const projection of servedProjections) {
    const { subscription } = projections.of(projection);
    while (!(await subscription.waitFor(head, TELL_MS)))
      logger.info({ readModel: projection.name, events: `${subscription.position()} of ${head}` }, 'lists are being built anew');
    await projections.endEarlier(projection);
  }
  await dropProjections(documents, old);
  logger.info({ readModels: old }, 'lists are built; those of the earlier release are removed');
}
