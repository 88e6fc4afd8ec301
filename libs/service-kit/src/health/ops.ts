import { fastify, type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';
import { useJsonBodies } from '../boot/json-body.ts';
import { useRequestFields } from '../boot/request.ts';
import { answerError } from '../errors/answer.ts';
import { notFound } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';
import type { Health, Report } from './health.ts';

export interface OpsOptions {
  host: string;
  port: number;
  health: Health;
  logger: Logger;
  /** Adds routes; what they throw is answered as on the public port. */
  admin?: (fastify: FastifyInstance) => Promise<void>;
}

export interface Ops {
  /** The one it listens on, also when 0 was asked for. */
  port: number;
  close(): Promise<void>;
}

/** The operators' port: `/healthz`, `/readyz` (503 with the reasons when not), `/metrics` in Prometheus' text format, and what `admin` adds. */
export async function startOps({ host, port, health, logger, admin }: OpsOptions): Promise<Ops> {
  const ops = fastify({ logger: false, forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } });
  useJsonBodies(ops);
  useRequestFields(ops);
  ops.setErrorHandler((error, request, reply) => answerError(error, request, reply, logger));
  ops.setNotFoundHandler((request, reply) => answerError(notFound('path'), request, reply, logger));
  const serve = (path: string, report: () => Promise<Report>): void => {
    ops.get(path, async (_request, reply) => {
      const { ok, checks } = await report();
      return reply.status(ok ? 200 : 503).send({ status: ok ? 'ok' : 'unavailable', checks });
    });
  };
  serve('/healthz', () => health.live());
  serve('/readyz', () => health.ready());
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  ops.get('/metrics', async (_request, reply) => reply.header('content-type', register.contentType).send(await register.metrics()));
  if (admin) await admin(ops);
  await ops.listen({ host, port });
  const address = ops.server.address();
  return { port: typeof address === 'object' && address ? address.port : port, close: () => ops.close() };
}
