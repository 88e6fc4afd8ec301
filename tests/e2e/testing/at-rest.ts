import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasesOf, eventsOf, withMongo, type NamespacedServers, type System } from '@svc/testkit';

export interface AtRest {
  /** Name of a file or collection. */
  name: string;
  bytes: Buffer;
}

/** All stored bytes of a stopped system. */
export const bytesAtRest = (system: System): Promise<AtRest[]> => (system.servers ? collectionsAtRest(system.servers) : files(system));

/** Its stored events with their streams, as text. */
export const eventsAtRest = (system: System): Promise<string[]> => (system.servers ? recorded(system.servers) : rows(system));

const folderOf = (system: System): string => join(system.dataDir, 'data');

async function files(system: System): Promise<AtRest[]> {
  return readdirSync(folderOf(system)).map((name) => ({ name, bytes: readFileSync(join(folderOf(system), name)) }));
}

async function rows(system: System): Promise<string[]> {
  const db = new DatabaseSync(join(folderOf(system), 'data.sqlite'), { readOnly: true });
  const all = db.prepare('SELECT * FROM events').all() as Record<string, unknown>[];
  db.close();
  return all.map((row) =>
    Object.values(row)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join(' '),
  );
}

/** All documents of the system's databases. */
export const collectionsAtRest = (servers: NamespacedServers): Promise<AtRest[]> =>
  withMongo(servers, async (client) => {
    const all: AtRest[] = [];
    for (const name of await databasesOf(client, servers))
      for (const collection of await client.db(name).collections()) {
        const documents = (await collection.find({}, { raw: true }).toArray()) as unknown as Uint8Array[];
        all.push({ name: `${name}.${collection.collectionName}`, bytes: Buffer.concat(documents) });
      }
    return all;
  });

const recorded = async (servers: NamespacedServers): Promise<string[]> =>
  (await eventsOf(servers)).map(({ stream, type, text }) => [stream, type, text].join(' '));
