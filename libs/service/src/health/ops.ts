import { fastify, type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { useRequestFields } from '../boot/request.ts';
import { answerError } from '../errors/answer.ts';
import { monotonicMs, notFound } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';
import { useErrorLog } from '../error-log/use-error-log.ts';
import { metricsReader } from '../telemetry/read-metrics.ts';
import type { Health, Report } from './health.ts';
import { currentRelease, releaseText } from '../release.ts';
import { createWrongTokens, type WrongTokens } from './wrong-tokens.ts';
import { totalmem } from 'node:os';

export interface OpsOptions {
  host: string;
  port: number;
  health: Health;
  logger: Logger;
  admin?: AddRoutes;
}

/** Adds routes. Their errors are answered as on the public port. */
export type AddRoutes = (fastify: FastifyInstance) => Promise<void>;

export interface Ops {
  /** The port that it listens on, also if 0 was requested. */
  port: number;
  /** Adds routes later, for a process whose health is served before anything else. */
  serve(...routes: AddRoutes[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * The operators' port: `/healthz`, `/readyz` (503 with the reasons if not ready), `/metrics` in Prometheus' text format, and the routes of `admin`. Each answer
 * names the release in `Svc-Version`.
 */
export async function startOps({ host, port, health, logger, admin }: OpsOptions): Promise<Ops> {
  const wrongTokens = createWrongTokens(monotonicMs);
  const ops = createOps(logger, wrongTokens);
  let more: FastifyInstance | undefined;
  const serve = async (...routes: AddRoutes[]): Promise<void> => {
    const added = createOps(logger, wrongTokens);
    for (const add of routes) await add(added);
    await added.ready();
    more = added;
  };
  ops.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || !more) return;
    reply.hijack();
    more.routing(request.raw, reply.raw);
  });
  const report = (path: string, of: () => Promise<Report>, facts: object = {}): void => {
    ops.get(path, async (_request, reply) => {
      const { ok, checks } = await of();
      return reply.status(ok ? 200 : 503).send({ status: ok ? 'ok' : 'unavailable', ...facts, checks });
    });
  };
  report('/healthz', () => health.live(), currentRelease());
  report('/readyz', () => health.ready());
  measureProcess();
  measureHealth(health);
  const readMetrics = metricsReader(({ name }) => register.getSingleMetricAsString(name), { logger });
  ops.get('/metrics', async (_request, reply) =>
    reply.header('content-type', register.contentType).send(`${(await readMetrics()).join('\n\n')}\n`),
  );
  if (admin) await serve(admin);
  await ops.listen({ host, port });
  const address = ops.server.address();
  return { port: typeof address === 'object' && address ? address.port : port, serve, close: () => ops.close() };
}

function createOps(logger: Logger, wrongTokens: WrongTokens): FastifyInstance {
  const ops = fastify({ logger: false, forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } });
  ops.decorate('wrongTokens', wrongTokens);
  ops.decorateRequest('operator', undefined);
  useErrorLog(ops, logger);
  useRequestFields(ops, null);
  const release = releaseText(currentRelease());
  ops.addHook('onRequest', async (_request, reply) => void reply.header('svc-version', release));
  ops.setErrorHandler((error, request, reply) => answerError(error, request, reply, logger));
  ops.setNotFoundHandler((request, reply) => answerError(notFound('path'), request, reply, logger));
  return ops;
}

/** Less than the time in which a metric is read: a server that hangs is shown as one that does not answer, not omitted. */
const WITHIN_MS = 1_500;

let measured: Health | undefined;
let reading: Promise<Report> | undefined;

/** Both gauges are read at the same time: one report for both. */
const report = (health: Health): Promise<Report> => (reading ??= health.ready(WITHIN_MS).finally(() => (reading = undefined)));

new Gauge({
  name: 'svc_ready',
  help: '1 while the process is ready, as /readyz has it; 0 otherwise.',
  async collect() {
    if (measured) this.set((await report(measured)).ok ? 1 : 0);
  },
});

new Gauge({
  name: 'svc_server_up',
  help: 'Whether a server or the data folder that the process needs answers as it should: 1, or 0 with the reason in /readyz.',
  labelNames: ['server'],
  async collect() {
    if (!measured) return;
    const { checks } = await report(measured);
    this.reset();
    for (const server of measured.serverNames()) if (server in checks) this.set({ server }, checks[server] === 'ok' ? 1 : 0);
  },
});

/** Exports the health of the process, the last one that is given. */
export function measureHealth(health: Health): void {
  measured = health;
  reading = undefined;
}

/** The metrics of every process: prom-client's own (`process_…`, `nodejs_…`), and the memory that it may use. Idempotent. */
export function measureProcess(): void {
  if (register.getSingleMetric('process_cpu_seconds_total')) return;
  collectDefaultMetrics();
  new Gauge({
    name: 'svc_build_info',
    help: 'Which release runs: always 1.',
    labelNames: ['version', 'commit'],
    collect() {
      const { version, commit } = currentRelease();
      this.set({ version, commit }, 1);
    },
  });
  new Gauge({
    name: 'svc_memory_limit_bytes',
    help: 'Memory that the process may use: the limit of its container, else the memory of the machine.',
    collect() {
      this.set(memoryLimit());
    },
  });
}

/** Without a limit Node reports 0, or more than the machine has. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
