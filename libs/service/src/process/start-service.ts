import { hostname } from 'node:os';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { deadLetterRoutes } from '../dead-letters/admin-routes.ts';
import { systemClock as clock } from '@svc/kernel';
import {
  type AddRoutes,
  createApp,
  drainHttp,
  fastifyOf,
  Health,
  installShutdown,
  internalKeys,
  startOps,
  startTelemetry,
  useInternalIdentity,
  type Logger,
} from '../index.ts';
import type { ServiceConfig } from './config.ts';
import { openDependencies, type Dependencies, type OpenedStore, type Opening } from './dependencies.ts';
import { checkPorts } from './ports.ts';
import { waitFor } from './wait-for.ts';

/** What makes a service a process. */
export interface Service<C extends ServiceConfig, S = undefined> {
  /** As owners are called in the route table; identities are for it by this name. */
  name: string;
  /** The first line of `--help`. */
  about: string;
  config: new () => C;
  /** Its own database, without the namespace. */
  database: string;
  /** For a service with streams; a process that does not use the store never loads its client. */
  openStore?(opening: Opening<C>): OpenedStore & { store: S };
  module(dependencies: Dependencies<C, S>): DynamicModule;
  hooks?: ServiceHooks<C, S>;
}

export interface ServiceHooks<C extends ServiceConfig, S = undefined> {
  /** Puts hooks before the routes, in the place of those that take the gateway's identity. The app is not initialized yet. */
  before?(app: NestFastifyApplication, dependencies: Dependencies<C, S>): void | Promise<void>;
  /** What the operators' port has besides health and metrics. */
  operators?(app: NestFastifyApplication, dependencies: Dependencies<C, S>): AddRoutes;
  /** Runs when the port is open, before the process calls itself ready. */
  opened?(app: NestFastifyApplication, dependencies: Dependencies<C, S>): void | Promise<void>;
}

/** Starts a service; resolves when it serves and consumes, or when it was stopped before. */
export async function startService<C extends ServiceConfig, S>(service: Service<C, S>, config: C, logger: Logger): Promise<void> {
  const { name, database, openStore, hooks = {} } = service;
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
  // No other process has this port now; the one that comes back to it has its leases at once, without waiting until they run out.
  const holder = `${name} ${hostname()} ${config.HOST}:${ops.port}`;
  const { dependencies, servers } = openDependencies<C, S>({ name, config, logger, clock, health, holder, database, openStore });
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
      // What brings work stops before what does it: what came last is done, or handed back, not left to its claim of a minute.
      if (app) await Promise.all([drainHttp(fastifyOf(app).server, clock, config.LINGER), bus.stopConsuming()]);
      await (app ?? bus).close();
      // Its last metrics are read from the servers.
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
    await ops.serve(deadLetterRoutes(bus.letters, config.OPS_TOKEN), ...(hooks.operators ? [hooks.operators(app, dependencies)] : []));
    await app.listen(config.PORT, config.HOST);
    await hooks.opened?.(app, dependencies);
    serving = true;
    logger.info({ port: config.PORT, ops: ops.port }, 'serves');
    // Requests do not wait for Kafka, which may be away, and lets nobody into a group until a member that was killed is given up.
    await waitFor('kafka', () => bus.connect().then(() => true), waiting);
    if (stopping.signal.aborted) return;
    await app.startAllMicroservices();
    consuming = true;
    // Else an outage of Kafka would take every replica of every service from behind its address, and the API with them.
    health.needOnce('kafka');
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    logger.info({ err: error }, 'stopped while it was starting');
  }
}

/** The application behind its hooks and on the bus; listening to neither yet. */
async function build<C extends ServiceConfig, S>(
  { name, module, hooks = {} }: Service<C, S>,
  dependencies: Dependencies<C, S>,
): Promise<NestFastifyApplication> {
  const { config, logger, bus } = dependencies;
  const app = await createApp(module(dependencies), { logger });
  if (hooks.before) await hooks.before(app, dependencies);
  else useInternalIdentity(fastifyOf(app), { keys: internalKeys(config.INTERNAL_KEYS), audience: name, clock });
  app.connectMicroservice({ strategy: bus });
  return app.init();
}
