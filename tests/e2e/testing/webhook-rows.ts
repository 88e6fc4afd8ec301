import { join } from 'node:path';
import { embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import { openMongo } from '@svc/document-store/mongodb/open';
import { Engine } from '@svc/embedded';
import type { System } from '@svc/testkit';

/**
 * Calls `write` with the webhooks' document store, for rows that requests would take too long to make. One process has its folder alone, so it is killed for that and started
 * again by `kill`, which calls what it is given in between.
 */
export async function inWebhooks(
  { servers, dataDir }: Pick<System, 'servers' | 'dataDir'>,
  { kill, write }: { kill(meanwhile: () => Promise<void>): Promise<void>; write(documents: DocumentStore): Promise<void> },
): Promise<void> {
  if (servers) await inMongo(servers, write);
  else await kill(() => inFolder(join(dataDir, 'data'), write));
}

async function inFolder(folder: string, work: (documents: DocumentStore) => Promise<void>): Promise<void> {
  const engine = Engine.open(folder);
  try {
    await work(embeddedDocumentStore(engine, 'svc_webhooks'));
  } finally {
    engine.close();
  }
}

async function inMongo(
  { mongodbUrl: url, namespace }: NonNullable<System['servers']>,
  work: (documents: DocumentStore) => Promise<void>,
): Promise<void> {
  const mongo = openMongo({ url, namespace, logger: console });
  try {
    await work(mongo.database('svc_webhooks'));
  } finally {
    await mongo.close();
  }
}
