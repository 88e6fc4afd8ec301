import type { DocumentStore, Lease } from '@svc/document-store';
import type { Checkpoint } from '../subscription/checkpoint.ts';
import type { Projection, Row } from './projection.ts';

const NAME = /^(.+)_v([1-9]\d*)$/;
/** Rows that are removed at once. */
const BATCH = 500;

/** `invoices_v3`: `['invoices', 3]`. */
function versionOf(name: string): [string, number] | undefined {
  const [, kind, version] = NAME.exec(name) ?? [];
  return kind === undefined ? undefined : [kind, Number(version)];
}

/** The newest of the read models `old` that shows what the projection shows. */
export function earlierOf({ name }: Pick<Projection<Row>, 'name'>, old: readonly string[]): string | undefined {
  const [kind] = versionOf(name) ?? [];
  const versions = old.map(versionOf).filter((one) => one !== undefined && one[0] === kind);
  const newest = Math.max(...versions.map((one) => one?.[1] ?? 0));
  return versions.length === 0 ? undefined : `${kind}_v${newest}`;
}

/** Read models older than those of this release, found by their checkpoints. A newer one is being built by the next release. */
export async function oldProjections(documents: DocumentStore, projections: readonly Projection<Row>[]): Promise<string[]> {
  const now = new Map(projections.map(({ name }) => versionOf(name) ?? [name, 0]));
  const kept = await Array.fromAsync(documents.collection<Checkpoint>('checkpoints').find({}), ({ _id }) => _id);
  return kept.filter((name) => {
    const [kind, version] = versionOf(name) ?? [name, Infinity];
    return version < (now.get(kind) ?? 0);
  });
}

/**
 * Removes the read models that `oldProjections` returns: rows first, then the checkpoint, so that an interrupted drop can be repeated.
 * Call it once no process of the release that served them runs: its subscription would write rows again.
 */
export async function dropProjections(documents: DocumentStore, names: readonly string[]): Promise<void> {
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
