import { hostname } from 'node:os';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Topic } from '@svc/contracts/events/envelope';
import { deadLetterRoutes } from '../dead-letters/admin-routes.ts';
import { systemClock as clock } from '@svc/kernel';
import {
  type AddRoutes,
  type AppOptions,
  createApp,
  drainHttp,
  fastifyOf,
  Health,
  installShutdown,
  internalKeys,
  type InternalRoute,
  type Logger,
  onlyBearer,
  parseKeyRing,
  startOps,
  startTelemetry,
  useInternalIdentity,
  useInternalRoutes,
  useSigns,
} from '../index.ts';
import { useWritePermits, type WriteLimits } from '../answers/use-write-permits.ts';
import type { ServiceConfig } from './config.ts';
import { type Dependencies, openDependencies, type OpenedStore, type Opening } from './dependencies.ts';
import { secretRoutes } from '../reencryption/admin-routes.ts';
import type { StoredCiphertexts } from '../reencryption/stored-ciphertexts.ts';
import { checkPorts } from './ports.ts';
import { currentRelease } from '../release.ts';
import { waitFor } from './wait-for.ts';
import { runProgram } from './run-program.ts';

/** A service that runs as a process. */
export interface Service<C extends ServiceConfig, S = undefined> {
  /** Its name in the table of routes and in identity tokens. */
  name: string;
  /** The first line of `--help`. */
  about: string;
  config: new () => C;
  /** Its own database, without the namespace. */
  database: string;
  /** The topics that it publishes to: it is ready when they and those that it consumes are there. */
  publishes?: readonly Topic[];
  /** What it stores encrypted, for a service with a key ring. */
  ciphertexts?: readonly StoredCiphertexts[];
  /** Opens the event store, for a service with streams. Other processes never load its client. */
  openStore?(opening: Opening<C>): OpenedStore & { store: S };
  module(dependencies: Dependencies<C, S>): DynamicModule | Promise<DynamicModule>;
  /** The URL to route a request by, from the one that was sent. */
  rewriteUrl?: AppOptions['rewriteUrl'];
  /** How many writes are carried out at once; no limit by default. */
  writes?: WriteLimits;
  hooks?: ServiceHooks<C, S>;
}

export interface ServiceHooks<C extends ServiceConfig, S = undefined> {
  /** Adds hooks before the app is initialized, in place of those that read the gateway's identity token. */
  before?(app: NestFastifyApplication, dependencies: Dependencies<C, S>): void | Promise<void>;
  /** What it answers to the gateway alone. */
  internal?(dependencies: Dependencies<C, S>): readonly InternalRoute[];
  /** The routes of the operators' port besides health and metrics. */
  operators?(app: NestFastifyApplication, dependencies: Dependencies<C, S>): AddRoutes;
  /** Runs when the port is open, before the process is ready. */
  opened?(app: NestFastifyApplication, dependencies: Dependencies<C, S>): void | Promise<void>;
}

/** `/admin/secrets` of the operators' port, for what this service has encrypted. */
function secretsOf<C extends ServiceConfig, S>(
  { name, database, ciphertexts = [] }: Service<C, S>,
  { config, logger, database: open }: Dependencies<C, S>,
): AddRoutes {
  const { SECRETS_KEY: ring } = config as { SECRETS_KEY?: string };
  const encrypted = ring === undefined ? [] : [{ service: name, documents: open(database), ring: parseKeyRing(ring), ciphertexts }];
  return secretRoutes({ encrypted, onRequest: onlyBearer('OPS_TOKEN', config.OPS_TOKEN), logger });
}

/** Starts a service. Resolves when it serves and consumes, or when it is stopped before that. */
async function startService<C extends ServiceConfig, S>(service: Service<C, S>, config: C, logger: Logger): Promise<void> {
  const { name, database, publishes, openStore, hooks = {} } = service;
  const health = new Health(clock);
  let serving = false;
  health.register('http', () => serving || 'is starting');
  const { HOST: host } = config;
  await checkPorts([
    { name: 'PORT', port: config.PORT, host },
    { name: 'OPS_PORT', port: config.OPS_PORT, host },
  ]);
  const stopTelemetry = await startTelemetry({ service: name, logger });
  const ops = await startOps({ host: config.HOST, port: config.OPS_PORT, health, logger });
  // Only one process has this port, so one that restarts on it takes its leases over at once, before they expire.
  const holder = `${name} ${hostname()} ${config.HOST}:${ops.port}`;
  const { dependencies, servers } = openDependencies<C, S>({ name, config, logger, clock, health, holder, database, publishes, openStore });
  const { bus } = dependencies;
  for (const { name: server, check } of servers) health.registerServer(server, check);
  let consuming = false;
  health.registerServer('kafka', async () => {
    const seen = await bus.check();
    return seen === true && !consuming ? 'its groups are not joined yet' : seen;
  });
  health.registerLiveness('consumers', () => bus.progress());

  const stopping = new AbortController();
  let app: NestFastifyApplication | undefined;
  installShutdown({
    health,
    logger,
    clock,
    async stop() {
      stopping.abort();
      // The sources of work stop before the workers, so that work is completed or released, not left until its lease expires.
      if (app) await Promise.all([drainHttp(fastifyOf(app), clock, config.LINGER), bus.stopConsuming()]);
      await (app ?? bus).close();
      // The last metrics are read from the servers, which are still connected here.
      await stopTelemetry();
      await Promise.all(servers.map(({ close }) => close()));
      await ops.close();
    },
  });

  try {
    const waiting = { clock, logger, stopped: stopping.signal, settings: config };
    await Promise.all(servers.map(({ name: server, check }) => waitFor(server, check, waiting)));
    if (stopping.signal.aborted) return;
    app = await build(service, dependencies);
    await ops.serve(
      deadLetterRoutes({ bus, source: name, clock, ids: dependencies.ids }, config.OPS_TOKEN),
      secretsOf(service, dependencies),
      ...(hooks.operators ? [hooks.operators(app, dependencies)] : []),
    );
    await app.listen(config.PORT, config.HOST);
    await hooks.opened?.(app, dependencies);
    serving = true;
    logger.info({ port: config.PORT, ops: ops.port, ...currentRelease() }, 'serves');
    // Requests do not wait for Kafka, which may be down, and which admits no member to a group until a killed member has timed out.
    await waitFor('kafka', () => bus.connect().then(() => true), waiting);
    if (stopping.signal.aborted) return;
    await app.startAllMicroservices();
    consuming = true;
    // Otherwise an outage of Kafka would make every replica of every service not ready, and the API would be down.
    health.needOnce('kafka');
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    logger.info({ err: error }, 'stopped while it was starting');
  }
}

/** The application with its hooks and consumers; it does not listen or consume yet. */
async function build<C extends ServiceConfig, S>(
  { name, module, rewriteUrl, writes, hooks = {} }: Service<C, S>,
  dependencies: Dependencies<C, S>,
): Promise<NestFastifyApplication> {
  const { config, logger, bus, publicUrl } = dependencies;
  const app = await createApp(await module(dependencies), { logger, publicUrl, rewriteUrl });
  if (hooks.before) await hooks.before(app, dependencies);
  else {
    const options = { keys: internalKeys(config.INTERNAL_KEYS), audience: name, clock, logger };
    useSigns(fastifyOf(app));
    useInternalIdentity(fastifyOf(app), options);
    useInternalRoutes(fastifyOf(app), options, hooks.internal?.(dependencies) ?? []);
    if (writes) useWritePermits(fastifyOf(app), { limits: writes, clock });
  }
  app.connectMicroservice({ strategy: bus });
  return app.init();
}

/**
 * Runs a service until a signal stops it: settings from the environment, adapters, Nest application, ports, health, traces. Waits for servers
 * that do not answer, and is not ready meanwhile. SIGTERM stops in this order: readiness, HTTP connections, consumers, workers and
 * subscriptions, which release their leases, server connections.
 */
export const runService = <C extends ServiceConfig, S = undefined>(service: Service<C, S>): Promise<void> =>
  runProgram({ ...service, start: (config, logger) => startService(service, config, logger) });
