import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { asRestored, BEGINNING } from '@svc/document-store/restored';
import { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import { databases } from './compose.ts';
import { rewriteDataFolder } from './first-format.ts';

/**
 * Makes the next start on a data folder find that it was restored. Throws where the folder has no database, and where a process holds it: that
 * one would go on as if nothing had been restored.
 */
export async function asRestoredFolder(folder: string): Promise<{ next: string }> {
  if (!existsSync(join(folder, 'data.sqlite'))) throw new Error(`${folder} has no data.sqlite: set DATA_DIR to the restored folder`);
  await rewriteDataFolder(folder, { info: () => undefined });
  const engine = Engine.open(folder);
  try {
    for (const { database, rebuilt } of databases)
      if (rebuilt.includes(BEGINNING)) await asRestored(embeddedDocumentStore(engine, database), clock);
  } finally {
    engine.close();
  }
  return { next: 'Start the process on this folder.' };
}
