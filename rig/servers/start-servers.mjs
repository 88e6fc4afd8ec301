// Kafka and the emulators of MongoDB and EventStoreDB in one folder, for the command and for tests.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { choose, keep } from './choices.mjs';
import { createEventStore } from './event-store/event-store.mjs';
import { createBroker } from './kafka/kafka.mjs';
import { createMongo } from './mongo/mongo.mjs';
import { alone } from './process/lock.mjs';
import { ServersError } from './process/servers-error.mjs';

export const kinds = ['kafka', 'mongo', 'event-store'];

/** The servers of a folder, running or not. `start-servers.d.mts` describes options and result. */
export async function openServers({ dir, address, brokers, ports, only = kinds, log = (text) => console.error(text) }) {
  const folder = resolve(dir);
  const choices = await choose(folder, { address, brokers, ports });
  const kafkas = choices.nodes.map((_, i) => createBroker({ folder: join(folder, `kafka-${i + 1}`), id: i + 1, ...choices, log }));
  const mongo = createMongo({ folder: join(folder, 'mongo'), address: choices.address, port: choices.mongo, log });
  const eventStore = createEventStore({ folder: join(folder, 'event-store'), address: choices.address, port: choices['event-store'], log });

  const named = (name) => (name === 'kafka' ? kafkas : [...kafkas, mongo, eventStore].filter((server) => server.name === name));
  const unknown = only.filter((name) => named(name).length === 0);
  if (unknown.length > 0)
    throw new ServersError(`no such server: ${unknown.join(', ')}; there are ${[...kinds, ...kafkas.map(({ name }) => name)].join(', ')}`);
  const chosen = [...new Set(only.flatMap(named))];
  const all = group(chosen);
  const kafka = group(kafkas);
  const env = {
    ...(kafkas.some((broker) => chosen.includes(broker)) && { KAFKA_BROKERS: kafka.url }),
    ...(chosen.includes(mongo) && { MONGODB_URL: mongo.url }),
    ...(chosen.includes(eventStore) && { EVENT_STORE_URL: eventStore.url }),
  };

  return {
    kafka,
    mongo,
    eventStore,
    chosen,
    env,
    start: () =>
      alone(folder, async () => {
        keep(
          folder,
          choices,
          chosen.filter(({ pid }) => pid !== undefined),
        );
        await all.start();
      }),
    stop: () => alone(folder, all.stop),
    async wipe() {
      await alone(folder, () => Promise.all(chosen.map((server) => server.wipe())));
      if (chosen.length === kafkas.length + 2) rmSync(join(folder, 'servers.json'), { force: true });
    },
  };
}

/** Starts the servers of a folder. Tests stop or wipe them at their end, because they outlive the process that started them. */
export async function startServers(options) {
  const servers = await openServers(options);
  await servers.start();
  return servers;
}

/** Several servers as one: the first's pid, the addresses of all. */
function group(servers) {
  const each = (act) => async () => {
    await Promise.all(servers.map(act));
  };
  return {
    brokers: servers,
    url: servers.map(({ url }) => url).join(','),
    get pid() {
      return servers[0].pid;
    },
    /** Launches all before waiting for any: the brokers of a cluster need each other. */
    async start() {
      for (const server of servers) await server.launch();
      await Promise.all(servers.map((server) => server.ready()));
    },
    stop: each((server) => server.stop()),
    kill9: each((server) => server.kill9()),
    pause: each((server) => server.pause()),
    resume: each((server) => server.resume()),
    wipe: each((server) => server.wipe()),
  };
}
