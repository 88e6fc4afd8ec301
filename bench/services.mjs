// Services as processes on the servers of a benchmark, with the environment that `npm run start:services` gives them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createTopics } from '@svc/event-bus/kafka/topics';
import { newKeyRing } from '@svc/service';
import { nodeOptions } from '../tools/node-options.mjs';
import { freePlaces, processesOf, services } from '../tools/services.mjs';
import { sendJson, startServer, UNLIMITED } from './server.mjs';

const root = join(import.meta.dirname, '..');
const READY_WITHIN_S = 120;
const ofEach = (value) => Object.fromEntries(services.map((service) => [service, value]));

/**
 * Starts these services, in a new namespace of the servers of `withServers`; resolves when all are ready. `processors`: as of `startServer`. `profile`: a folder that
 * gets a processor profile of each service, in a folder of its name; they then run unbundled, so that the profile names packages. `env`: settings of those that have
 * them; `ledgerFile`: the authority simulator's; `replicas`: of each but the gateway and the simulator, a second one is `<service> 2`.
 * `processes` and `urls`: by service, the urls also of those that were not started, where the gateway reaches them; `addAccount`: through the gateway, with limits
 * that are never reached.
 */
export async function startServices(
  { kafka, mongo, eventStore },
  names,
  { processors, profile, env: given, ledgerFile = '', replicas = 1 } = {},
) {
  const namespace = `bench${Date.now().toString(36)}`;
  await createTopics({ brokers: kafka.split(','), namespace, replicas: 1 });
  const places = await freePlaces({ replicas });
  places.gateway = places.gateway.slice(0, 1);
  const url = (service) => `http://127.0.0.1:${places[service][0].port}`;
  const [internalKeys, adminToken] = [`k1:${randomBytes(32).toString('base64')}`, `adm_${randomBytes(24).toString('base64url')}`];
  const table = processesOf({
    ...{ places, namespace, publicUrl: url('gateway'), ledgerFile, env: { LOG_LEVEL: 'warn', ...given } },
    servers: { KAFKA_BROKERS: kafka, MONGODB_URL: mongo, EVENT_STORE_URL: eventStore },
    secrets: { secretsKeys: ofEach(newKeyRing()), internalKeys: ofEach(internalKeys), adminToken },
  });
  const start = async ({ service, name, main, env, health }) => {
    const started = await startServer(join(root, profile ? `services/${service}/dist/main.js` : main), {
      options: profile ? [...nodeOptions, '--cpu-prof', `--cpu-prof-dir=${join(profile, service)}`] : nodeOptions,
      ...{ env, ready: async () => (await fetch(health)).ok, within: READY_WITHIN_S, ...(processors && { processors }) },
    });
    return [name.endsWith('-1') ? service : name.replace(/-(\d+)$/, ' $1'), started];
  };
  const processes = Object.fromEntries(await Promise.all(table.filter(({ service }) => names.includes(service)).map(start)));
  return {
    ...{ namespace, processes, internalKeys, urls: Object.fromEntries(services.map((service) => [service, url(service)])) },
    async addAccount() {
      const accounts = `http://127.0.0.1:${places.gateway[0].opsPort}/admin/accounts`;
      const { id, test_key } = await sendJson(accounts, adminToken, { name: 'Bench', plan: 'enterprise', limits: UNLIMITED });
      return { url: url('gateway'), account: id, key: test_key };
    },
    /** All at once. */
    stop: () => Promise.all(Object.values(processes).map((process) => process.stop())),
  };
}
