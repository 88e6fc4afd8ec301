// The table of the system's processes: name, file and environment of each. Plain JavaScript, for start-services.mjs and the tests.
import { join } from 'node:path';
import { freePorts } from '../rig/servers/process/ports.mjs';

/**
 * The ports on which a replica listens.
 * `national`: of the authority simulator, by national authority; absent: none is served.
 * @typedef {{ port: number, opsPort: number, national?: Record<string, number> }} Place
 *
 * The settings of the processes of one system.
 * @typedef {object} Settings
 * @property {Record<string, Place[]>} places by service, a place for each replica
 * @property {{ KAFKA_BROKERS: string, MONGODB_URL: string, EVENT_STORE_URL: string }} servers
 * @property {string} namespace
 * @property {{ secretsKeys: Record<string, string>, internalKeys: Record<string, string>, adminToken: string }} secrets keys by service:
 *   each has its own, the gateway for identities those of all
 * @property {Record<string, string>} [fronts] by service: an origin before all its replicas, which the first gateway has in their place
 * @property {string} publicUrl base of links
 * @property {string} [host] address on which the gateways listen; the others listen on loopback
 * @property {string} ledgerFile the authority simulator's
 * @property {string} [setupFile] file to which the first gateway writes the demo account's keys, unless it exists
 * @property {Record<string, string | undefined>} [env] settings that are passed to the processes that have them
 *
 * @typedef {object} Process
 * @property {string} name `invoicing-1`
 * @property {string} service
 * @property {string} main file, from the root
 * @property {Record<string, string>} env its whole environment besides PATH
 * @property {string} url its origin
 * @property {string} health answers 200 when it is ready
 */

const LOOPBACK = '127.0.0.1';
/** The address at which this machine reaches a listener on `host`. */
const reached = (host = LOOPBACK) => (['0.0.0.0', '::'].includes(host) ? LOOPBACK : host.includes(':') ? `[${host}]` : host);
const origins = (places) => places.map(({ port }) => `http://${LOOPBACK}:${port}`).join(',');
/** As a gateway has them. */
const originsOf = (service, { places, fronts = {} }, gateway) =>
  (gateway === places.gateway[0] && fronts[service]) || origins(places[service]);
const simulatorUrl = ({ places }) => origins(places['authority-simulator']);
/** The national authorities of the simulator, with the first part of the names of their settings. */
const national = { 'al-cis': 'AL_CIS', 'me-efi': 'ME_EFI', 'es-verifactu': 'ES_VERIFACTU' };
const testUrls = Object.values(national).map((name) => `${name}_TEST_URL`);
const ofSimulator = (port) => `https://${LOOPBACK}:${port}`;
/** What a deployment says of itself to tax authorities, and whom it trusts there. */
const ofDeployment = [
  ...['AUTHORITY_TRUST', 'ME_EFI_SIGNER', 'SOFTWARE_PRODUCER', 'SOFTWARE_PRODUCER_TAX_ID'],
  ...['SOFTWARE_NAME', 'SOFTWARE_ID', 'SOFTWARE_VERSION'],
];
/** Settings of the national authorities; those that are given stay. */
function ofNational({ places, env: given = {} }, suffix, valueOf) {
  const ports = Object.entries(places['authority-simulator'][0].national ?? {});
  const settings = ports.map(([authority, port]) => [`${national[authority]}_${suffix}`, valueOf(port)]);
  return Object.fromEntries(settings.filter(([name]) => given[name] === undefined));
}

/** In the order of their start: a service comes after those that it calls. */
const table = [
  {
    service: 'authority-simulator',
    takes: ['AL_CIS_PORT', 'ME_EFI_PORT', 'ES_VERIFACTU_PORT', 'TLS_HOSTS', 'WIRE_MIB'],
    env: (settings, { port }) => ({
      ...{ SIMULATOR_PORT: port, HOST: LOOPBACK, LEDGER_FILE: settings.ledgerFile },
      ...ofNational(settings, 'PORT', (own) => own),
    }),
    health: (host, { port }) => `http://${host}:${port}/healthz`,
  },
  {
    service: 'invoicing',
    takes: ['CLOCK_WITNESSES', ...ofDeployment, ...testUrls],
    env: (settings, place) => ({
      ...behindGateway(settings, place),
      ...withStreams(settings),
      ...encrypting(settings),
      ...ofNational(settings, 'TEST_URL', ofSimulator),
    }),
  },
  {
    service: 'fiscal-submission',
    takes: [
      ...['AUTHORITY_PACE', 'WIRE_LOG_KEEP_DAYS', 'ES_VERIFACTU_CERTIFICATE', 'ES_VERIFACTU_PASSPHRASE', ...ofDeployment],
      ...testUrls,
      ...Object.values(national).map((name) => `${name}_URL`),
    ],
    env: (settings, place) => ({
      ...behindGateway(settings, place),
      ...withStreams(settings),
      ...encrypting(settings),
      SIMULATOR_URL: simulatorUrl(settings),
      ...ofNational(settings, 'TEST_URL', ofSimulator),
    }),
  },
  {
    service: 'webhooks-dispatcher',
    takes: ['WEBHOOKS_ALLOW', 'WEBHOOKS_RETRY_DELAYS', 'WEBHOOKS_KEEP_DAYS'],
    env: (settings, place) => ({ ...behindGateway(settings, place), ...encrypting(settings) }),
  },
  {
    service: 'reporting',
    takes: [],
    env: (settings, place) => behindGateway(settings, place),
  },
  {
    service: 'gateway',
    takes: [
      'HOSTS',
      'REQUIRE_HTTPS',
      'PODS_SUFFIX',
      'TRUSTED_PROXIES',
      'ACCESS_LOG_PERCENT',
      'DEMO_PLAN',
      'ADMIN_TOKENS',
      'SESSION_LIFE',
      'SESSION_IDLE',
      'STEP_UP_FOR',
      'AUDIT_KEEP_DAYS',
      'SMTP_URL',
      'MAIL_FROM',
    ],
    env: (settings, place) => ({
      ...behindGateway(settings, place),
      ...encrypting(settings),
      HOST: settings.host ?? LOOPBACK,
      ADMIN_TOKEN: settings.secrets.adminToken,
      INVOICING_URL: originsOf('invoicing', settings, place),
      FISCAL_SUBMISSION_URL: originsOf('fiscal-submission', settings, place),
      WEBHOOKS_URL: originsOf('webhooks-dispatcher', settings, place),
      REPORTING_URL: originsOf('reporting', settings, place),
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

/** The settings that every process has: among them those of OpenTelemetry's SDK, except for the service name. */
const common = (env) => [
  ...['OPS_TOKEN', 'LOG_LEVEL', 'LINGER'],
  ...['KAFKA_TLS', 'KAFKA_TLS_CA_FILE', 'KAFKA_SASL_MECHANISM', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'],
  ...Object.keys(env).filter((name) => name.startsWith('OTEL_') && name !== 'OTEL_SERVICE_NAME'),
];

/** The names of the services in the order of their start. */
export const services = table.map(({ service }) => service);

/** @returns {Process[]} every replica of every service, in the order of their start */
export function processesOf(/** @type {Settings} */ settings) {
  return table.flatMap(({ service, takes, env, health = opsHealth }) =>
    settings.places[service].map((place, n) => {
      const variables = texts({
        ...pick(settings.env ?? {}, [...common(settings.env ?? {}), ...takes]),
        ...env({ ...settings, secrets: secretsOf(settings, service) }, place),
      });
      const host = reached(variables.HOST);
      return {
        name: `${service}-${n + 1}`,
        service,
        main: join('services', service, 'dist', 'start.mjs'),
        env: variables,
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
/** Passes values on unchanged, because an empty value has a meaning for some settings. */
const pick = (env, names) => Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
const texts = (env) => Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));

/**
 * Free ports on loopback for this many replicas of each service (one of the authority simulator). `first`: ports of first replicas that
 * are given.
 * @param {{ replicas?: number, first?: Record<string, Partial<Place>> }} wanted
 * @returns {Promise<Record<string, Place[]>>}
 */
export async function freePlaces({ replicas = 1, first = {} } = {}) {
  const wanted = services.map((service) => ({ service, count: service === 'authority-simulator' ? 1 : replicas }));
  const authorities = Object.keys(national);
  const ports = await freePorts(wanted.reduce((sum, { count }) => sum + 2 * count, authorities.length));
  const places = Object.fromEntries(
    wanted.map(({ service, count }) => [
      service,
      Array.from({ length: count }, (_, n) => ({ port: ports.pop(), opsPort: ports.pop(), ...(n === 0 ? first[service] : {}) })),
    ]),
  );
  places['authority-simulator'][0].national = Object.fromEntries(authorities.map((authority) => [authority, ports.pop()]));
  return places;
}
