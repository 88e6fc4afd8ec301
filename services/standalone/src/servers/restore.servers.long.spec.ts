import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { databasesOf, eventually, startProcesses, withMongo, type NamespacedServers, type Processes, type Replica } from '@svc/testkit';
import { createTopics } from '@svc/testkit/create-topics';
import { HUGE } from '../e2e/testing/accounts.ts';
import { databases } from '../compose.ts';
import { OPS_TOKEN } from '../e2e/testing/shared/shared-system.ts';
import { testRestore } from '../e2e/testing/restore.ts';
import { openAccountOf } from './testing/account.ts';
import { startOwnServers, type OwnServers } from './testing/own-servers.ts';

const sources = databases.flatMap(({ database, source }) => source.map((name) => ({ database, name })));

type Dump = { database: string; name: string; docs: { _id: unknown }[] }[];

/** The source collections, as `mongodump` saves them. */
const dumpOf = (servers: NamespacedServers): Promise<Dump> =>
  withMongo(servers, (client) =>
    Promise.all(
      sources.map(async ({ database, name }) => ({
        ...{ database, name },
        docs: await client.db(`${servers.namespace}_${database}`).collection(name).find({}, { promoteValues: false }).toArray(),
      })),
    ),
  );
const fill = (servers: NamespacedServers, dump: Dump): Promise<void> =>
  withMongo(servers, async (client) => {
    for (const { database, name, docs } of dump)
      if (docs.length > 0)
        await client
          .db(`${servers.namespace}_${database}`)
          .collection(name)
          .insertMany(docs as never[]);
  });

let servers: OwnServers;
let system: Processes;

describe('five services, two replicas each, on servers that are lost and restored from backups', () => {
  testRestore(async (subscriber) => {
    servers = await startOwnServers();
    system = await startProcesses({ replicas: 2, servers: servers.addresses, env: { WEBHOOKS_ALLOW: subscriber, OPS_TOKEN } });
    const { test_key: testKey } = await openAccountOf(system, 'Restored', HUGE);
    const stored = join(servers.dir, 'event-store', 'data');
    const saved = join(servers.dir, 'backup');
    let dump: Dump;
    return {
      origin: () => system.gateways[0] as string,
      ops: () => (system.replicasOf('invoicing')[0] as Replica).ops,
      simulator: () => system.simulator,
      testKey,
      opsToken: OPS_TOKEN,
      async backUp() {
        // The event store first: what MongoDB holds then covers every event, among it the keys of personal data.
        copyFileSync(stored, saved);
        dump = await dumpOf(system.servers);
      },
      async loseAndRestore() {
        await system.stopAll('SIGKILL');
        await Promise.all([servers.kafka, servers.mongo, servers.eventStore].map((server) => server.wipe()));
        mkdirSync(join(servers.dir, 'event-store'), { recursive: true });
        copyFileSync(saved, stored);
        await Promise.all([servers.kafka, servers.mongo, servers.eventStore].map((server) => server.start()));
        await fill(system.servers, dump);
        const { kafkaBrokers, namespace } = system.servers;
        await eventually(() => createTopics({ brokers: kafkaBrokers.split(','), namespace, replicas: 1 }), 'topics');
        await system.startAll();
      },
      async stop() {
        await system?.stopAll('SIGKILL');
        await servers?.stop();
      },
    };
  });

  test('every collection is in the table of what a backup holds and what is rebuilt', async () => {
    const found = await withMongo(system.servers, async (client) => {
      const names = await databasesOf(client, system.servers);
      const listed = await Promise.all(names.map(async (name) => ({ name, collections: await client.db(name).collections() })));
      return listed.flatMap(({ name, collections }) =>
        collections.map(({ collectionName }) => `${name.slice(system.servers.namespace.length + 1)}.${collectionName}`),
      );
    });
    const declared = databases.flatMap(({ database, source, rebuilt }) => [...source, ...rebuilt].map((name) => `${database}.${name}`));
    expect(found.filter((name) => !name.endsWith('_dead_letters') && !declared.includes(name))).toEqual([]);
  });
});
