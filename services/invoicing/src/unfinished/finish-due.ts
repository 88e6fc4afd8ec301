import { startDueWork, type Collection, type DueWork } from '@svc/documents';
import type { InvoicingContext } from '../context.ts';
import type { Unfinished } from './unfinished.ts';
import type { Watched } from './watched.ts';

/** How soon a document that could not be finished is tried again. */
const RETRY_MS = 5_000;

/** Brings documents on that were left between steps, by a crash or an outage. The row goes when the projection sees the document at rest. */
export function startFinishing(context: InvoicingContext, watched: readonly Watched[], collection: Collection<Unfinished>): DueWork {
  const { clock, logger } = context;
  const byCategory = new Map(watched.map((one) => [one.category, one]));

  async function finish(row: Unfinished): Promise<void> {
    const { _id, version, account, env, id } = row;
    try {
      await byCategory.get(row.category)?.finish(context, { account, env, id });
    } catch (error) {
      logger.warn({ document: id, err: error }, 'a document is between steps and could not be brought on; it is tried again');
      await collection.claim({ _id, version }, { set: { due_at: clock.now() + RETRY_MS } });
    }
  }

  return startDueWork({
    name: 'unfinished',
    collection,
    clock,
    logger,
    handle: async (rows) => void (await Promise.all(rows.map(finish))),
  });
}
