import { iso, type Clock } from '@svc/kernel';
import type { Doc, DocumentStore } from './port.ts';

/** That the database was used before. A backup holds it. */
interface Installation extends Doc {
  at: string;
}

/** How the database began. No backup holds it: it is among what is rebuilt. */
interface Beginning<M> extends Doc {
  /** When the installation was made that it belongs to. */
  installation: string;
  restored: Restored<M> | null;
}

/** When a database was found to be restored from a backup (ISO 8601), and what was noted then. */
export interface Restored<M> {
  at: string;
  mark: M;
}

/** The collection that a backup holds, and the one that it omits. */
export const [INSTALLATION, BEGINNING] = ['installation', 'beginning'] as const;

/**
 * Whether this service's database was restored from a backup; null where it was not. A backup holds `installation` but not `beginning`, like
 * everything else that is rebuilt. So the first process on a restored database finds the one without the other, or with another one's, and
 * stores that with what `mark` returns; all later ones find the same. Call it before anything is written on behalf of users.
 */
export async function findRestored<M>(
  documents: DocumentStore,
  clock: Pick<Clock, 'now'>,
  mark: () => Promise<M>,
): Promise<Restored<M> | null> {
  const installations = documents.collection<Installation>(INSTALLATION);
  const beginnings = documents.collection<Beginning<M>>(BEGINNING);
  const at = iso(clock.now());
  const used = await installations.get(INSTALLATION);
  const known = await beginnings.get(BEGINNING);
  const found = async (version: number): Promise<Beginning<M>> => ({
    ...{ _id: BEGINNING, version, installation: used?.at ?? at },
    restored: used ? { at, mark: await mark() } : null,
  });
  if (!known) await beginnings.insert(await found(1));
  // A process that started on the empty database, before the backup was in it, has left a beginning of its own.
  else if (used && known.installation !== used.at) await beginnings.write([{ put: await found(known.version + 1) }]);
  const { installation, restored } = (await beginnings.get(BEGINNING)) as Beginning<M>;
  // After `beginning`: a crash between the two leaves a database that counts as new.
  await installations.insert({ _id: INSTALLATION, version: 1, at: installation });
  return restored;
}

/**
 * Makes the next start find that the database was restored: for a copy of all of it, which holds `beginning` too, or which a release made that
 * knew neither.
 */
export async function asRestored(documents: DocumentStore, clock: Pick<Clock, 'now'>): Promise<void> {
  await documents.collection<Installation>(INSTALLATION).insert({ _id: INSTALLATION, version: 1, at: iso(clock.now()) });
  await documents.collection<Beginning<unknown>>(BEGINNING).write([{ delete: BEGINNING }]);
}
