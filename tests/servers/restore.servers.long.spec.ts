import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { databasesOf, eventually, startProcesses, withMongo, type NamespacedServers, type Processes, type Replica } from '@svc/testkit';
import { createTopics } from '@svc/testkit/create-topics';
import { HUGE } from '../e2e/testing/accounts.ts';
import { databases } from '@svc/standalone/compose';
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

/** The documents of each collection, without the prefix of the namespace: `svc_gateway.audit`. */
const countsOf = (servers: NamespacedServers): Promise<Record<string, number>> =>
  withMongo(servers, async (client) => {
    const counts: [string, number][] = [];
    for (const name of await databasesOf(client, servers))
      for (const collection of await client.db(name).collections())
        counts.push([`${name.slice(servers.namespace.length + 1)}.${collection.collectionName}`, await collection.countDocuments({})]);
    return Object.fromEntries(counts);
  });
/** What an operator inserts where the backup is of an earlier release, as deploy/backup.md says. */
const INSTALLATION = { _id: 'installation', version: 1, at: '2026-11-23T02:00:00.000Z' };

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
    let made = 0;
    return {
      origin: () => system.gateways[0] as string,
      ops: () => (system.replicasOf('invoicing')[0] as Replica).ops,
      chainsOps: () => (system.replicasOf('fiscal-submission')[0] as Replica).ops,
      simulator: () => system.simulator,
      testKey,
      opsToken: OPS_TOKEN,
      counts: () => countsOf(system.servers),
      async backUp() {
        // The event store first: what MongoDB holds then covers every event, among it the keys of personal data.
        copyFileSync(stored, saved);
        dump = await dumpOf(system.servers);
        made += 1;
        // The second backup is as one of an earlier release, into which an operator inserts what it lacks.
        if (made > 1) dump = dump.map((one) => (one.name === INSTALLATION._id ? { ...one, docs: [INSTALLATION] } : one));
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
        await system?.discard();
        await servers?.stop();
      },
    };
  });

  test('every collection is in the table of what a backup holds and what is rebuilt', async () => {
    const found = Object.keys(await countsOf(system.servers));
    const declared = databases.flatMap(({ database, source, rebuilt }) => [...source, ...rebuilt].map((name) => `${database}.${name}`));
    expect(found.filter((name) => !name.endsWith('_dead_letters') && !declared.includes(name))).toEqual([]);
  });
});
