import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { collections } from '@svc/reporting/collections';
import { GROUP } from '@svc/reporting/postings/posting';

/** Leaves what a release leaves whose postings have another shape: none, and a group that begins with the first event. Of a system that does not run. */
export function forgetPostings(folder: string): void {
  const db = new DatabaseSync(join(folder, 'data', 'data.sqlite'));
  for (const name of collections.rebuilt) db.exec(`DELETE FROM "${collections.database}.${name}"`);
  db.prepare('DELETE FROM "svc_invoicing.checkpoints" WHERE _id LIKE ?').run(`%.${GROUP}.%`);
  db.close();
}
