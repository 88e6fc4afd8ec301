import type { Checkpoint } from '@svc/event-store';
import type { Documents, Lease } from '@svc/document-store';
import { allOf } from '../all-of.ts';
import type { Row, View } from './view.ts';

const NAME = /^(.+)_v([1-9]\d*)$/;
/** Rows that are removed at once. */
const BATCH = 500;

/** `invoices_v3`: `['invoices', 3]`. */
function versionOf(name: string): [string, number] | undefined {
  const [, kind, version] = NAME.exec(name) ?? [];
  return kind === undefined ? undefined : [kind, Number(version)];
}

/** Read models that are older than those of this release, by their checkpoints. A newer one is being built by the next release. */
export async function oldViews(documents: Documents, views: readonly View<Row>[]): Promise<string[]> {
  const now = new Map(views.map(({ name }) => versionOf(name) ?? [name, 0]));
  const kept = await allOf(documents.collection<Checkpoint>('checkpoints').find({}));
  return kept
    .map(({ _id }) => _id)
    .filter((name) => {
      const [kind, version] = versionOf(name) ?? [name, Infinity];
      return version < (now.get(kind) ?? 0);
    });
}

/**
 * Removes what `oldViews` names: rows, then checkpoint, so that a drop that is broken off can be repeated. To be called once the
 * release that served them is gone; while one of it is up, its follower may write rows behind this.
 */
export async function dropViews(documents: Documents, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const rows = documents.collection<Row>(name);
    for (;;) {
      const { left } = await rows.page({}, { limit: BATCH }, 0);
      if (left.length === 0) break;
      await rows.write(left.map((id) => ({ delete: id })));
    }
    await documents.collection<Lease>('leases').write([{ delete: name }]);
    await documents.collection<Checkpoint>('checkpoints').write([{ delete: name }]);
  }
}
