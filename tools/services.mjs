// The one table of the system's processes: what each is called, its file, its environment. Plain JavaScript, for start-services.mjs
// and for the tests' harness.
import { join } from 'node:path';
import { freePorts } from '../deploy/servers/process/ports.mjs';

/**
 * Where a replica listens.
 * @typedef {{ port: number, opsPort: number }} Place
 *
 * What the processes of one system are told.
 * @typedef {object} Settings
 * @property {Record<string, Place[]>} places by service, a place for each replica
 * @property {{ KAFKA_BROKERS: string, MONGODB_URL: string, EVENT_STORE_URL: string }} servers
 * @property {string} namespace
 * @property {{ secretsKeys: Record<string, string>, internalKeys: Record<string, string>, adminToken: string }} secrets keys by service:
 *   each has its own, the gateway for identities those of all
 * @property {string} publicUrl base of links
 * @property {string} [host] that the gateways listen on; the others are on loopback
 * @property {string} ledgerFile the authority simulator's
 * @property {string} [setupFile] where the first gateway writes the demo account's keys, unless there is such a file
 * @property {Record<string, string | undefined>} [env] settings that are handed on to those that take them
 *
 * @typedef {object} Process
 * @property {string} name `invoicing-1`
 * @property {string} service
 * @property {string} main file, from the root
 * @property {Record<string, string>} env all that it has to be told, on top of PATH
 * @property {string} url where it serves
 * @property {string} health answers 200 when it is ready
 */

const LOOPBACK = '127.0.0.1';
/** Where a listener of this machine is reached that listens on `host`. */
const reached = (host = LOOPBACK) => (['0.0.0.0', '::'].includes(host) ? LOOPBACK : host.includes(':') ? `[${host}]` : host);
const origins = (places) => places.map(({ port }) => `http://${LOOPBACK}:${port}`).join(',');
const simulatorUrl = ({ places }) => origins(places['authority-simulator']);

/** In the order in which they are started: those that others call come first. */
const table = [
  {
    service: 'authority-simulator',
    takes: [],
    env: ({ ledgerFile }, { port }) => ({ SIMULATOR_PORT: port, HOST: LOOPBACK, LEDGER_FILE: ledgerFile }),
    health: (host, { port }) => `http://${host}:${port}/healthz`,
  },
  {
    service: 'invoicing',
    takes: [],
    env: (settings, place) => ({ ...behindGateway(settings, place), ...withStreams(settings), ...encrypting(settings) }),
  },
  {
    service: 'fiscal-submission',
    takes: ['AUTHORITY_PACE'],
    env: (settings, place) => ({ ...behindGateway(settings, place), ...withStreams(settings), SIMULATOR_URL: simulatorUrl(settings) }),
  },
  {
    service: 'webhooks-dispatcher',
    takes: ['WEBHOOKS_ALLOW', 'WEBHOOKS_RETRY_DELAYS'],
    env: (settings, place) => ({ ...behindGateway(settings, place), ...encrypting(settings) }),
  },
  {
    service: 'reporting',
    takes: [],
    env: (settings, place) => behindGateway(settings, place),
  },
  {
    service: 'gateway',
    takes: ['HOSTS', 'REQUIRE_HTTPS', 'TRUSTED_PROXIES', 'DEMO_PLAN'],
    env: (settings, place) => ({
      ...behindGateway(settings, place),
      ...encrypting(settings),
      HOST: settings.host ?? LOOPBACK,
      ADMIN_TOKEN: settings.secrets.adminToken,
      INVOICING_URL: origins(settings.places.invoicing),
      FISCAL_SUBMISSION_URL: origins(settings.places['fiscal-submission']),
      WEBHOOKS_URL: origins(settings.places['webhooks-dispatcher']),
      REPORTING_URL: origins(settings.places.reporting),
      ...(settings.setupFile && place === settings.places.gateway[0] ? { SETUP_FILE: settings.setupFile } : {}),
    }),
  },
];

const behindGateway = ({ servers, namespace, secrets, publicUrl }, { port, opsPort }) => ({
  PORT: port,
  HOST: LOOPBACK,
  OPS_PORT: opsPort,
  PUBLIC_URL: publicUrl,
  NAMESPACE: namespace,
  MONGODB_URL: servers.MONGODB_URL,
  KAFKA_BROKERS: servers.KAFKA_BROKERS,
  INTERNAL_KEYS: secrets.internalKeys,
});
const withStreams = ({ servers }) => ({ EVENT_STORE_URL: servers.EVENT_STORE_URL });
const encrypting = ({ secrets }) => ({ SECRETS_KEY: secrets.secretsKey });

/** What every process takes: beside its own all that OpenTelemetry's SDK reads, but a name of one service. */
const common = (env) => [
  ...['OPS_TOKEN', 'LOG_LEVEL'],
  ...Object.keys(env).filter((name) => name.startsWith('OTEL_') && name !== 'OTEL_SERVICE_NAME'),
];

/** Their names, those that others call first. */
export const services = table.map(({ service }) => service);

/** @returns {Process[]} every replica of every service, in the order of their start */
export function processesOf(/** @type {Settings} */ settings) {
  return table.flatMap(({ service, takes, env, health = opsHealth }) =>
    settings.places[service].map((place, n) => {
      const told = texts({
        ...pick(settings.env ?? {}, [...common(settings.env ?? {}), ...takes]),
        ...env({ ...settings, secrets: secretsOf(settings, service) }, place),
      });
      const host = reached(told.HOST);
      return {
        name: `${service}-${n + 1}`,
        service,
        main: join('services', service, 'dist', 'start.mjs'),
        env: told,
        url: `http://${host}:${place.port}`,
        health: health(host, place),
      };
    }),
  );
}

const secretsOf = ({ secrets: { secretsKeys, internalKeys, adminToken } }, service) => ({
  secretsKey: secretsKeys[service],
  internalKeys: internalKeys[service],
  adminToken,
});
const opsHealth = (host, { opsPort }) => `http://${host}:${opsPort}/readyz`;
/** An empty value may be one of its own: what is there is handed on as it is. */
const pick = (env, names) => Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
const texts = (env) => Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));

/**
 * Free places on loopback for so many replicas of each service (of the authority there is one); `first` are those of first replicas
 * that are not free to choose.
 * @param {{ replicas?: number, first?: Record<string, Partial<Place>> }} wanted
 * @returns {Promise<Record<string, Place[]>>}
 */
export async function freePlaces({ replicas = 1, first = {} } = {}) {
  const wanted = services.map((service) => ({ service, count: service === 'authority-simulator' ? 1 : replicas }));
  const ports = await freePorts(wanted.reduce((sum, { count }) => sum + 2 * count, 0));
  return Object.fromEntries(
    wanted.map(({ service, count }) => [
      service,
      Array.from({ length: count }, (_, n) => ({ port: ports.pop(), opsPort: ports.pop(), ...(n === 0 ? first[service] : {}) })),
    ]),
  );
}
