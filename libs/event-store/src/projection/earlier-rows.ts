import type { Collection } from '@svc/document-store';
import { jsonText, statesAfter, streamOf, type Streams } from '@svc/kernel';
import { knownEvents } from './fold-rows.ts';
import type { Projection, Row } from './projection.ts';

/**
 * Rows of the read model of the release before this one, for lists while the one of this release is being built. No release ends this: rows are found as they are stored there, and each
 * resource is made of the events, as this release shows it. Of whichever release was the last: `newFields` of a projection names the one that ends it there.
 */
export function earlierRows<R extends Row>(
  rows: Collection<R>,
  projection: Projection<R>,
  store: Pick<Streams, 'read' | 'tail'>,
): Collection<R> {
  const states = statesAfter(store);
  const fold = knownEvents(projection);

  async function shown(row: R): Promise<R[]> {
    const [last] = await store.tail(streamOf(projection.category, row.env, row.account, row._id), 1);
    if (!last) return [];
    const { state } = await states.after(last, fold);
    return fold.row(state, last) ? [{ ...row, resource: jsonText(fold.resource(state, last)) }] : [];
  }

  async function eachShown(found: readonly R[]): Promise<R[]> {
    const docs: R[] = [];
    for (const row of found) docs.push(...(await shown(row)));
    return docs;
  }

  return {
    ...rows,
    async page(filter, query, bytes) {
      const { docs, left } = await rows.page(filter, query, bytes);
      return { docs: await eachShown(docs), left };
    },
    async *read(ids, filter, bytes) {
      for await (const found of rows.read(ids, filter, bytes)) yield await eachShown(found);
    },
  };
}
