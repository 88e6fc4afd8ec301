import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RouteName } from '@svc/contracts/routes';
import type { Clock } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, internalKeys, servedRoutes, useInternalIdentity, useSigns } from '@svc/service';
import { type Work, stubService } from './stub-service.ts';

/** INTERNAL_KEYS of the gateway and the stubs of a test. */
export const sharedKeys = internalKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`);

/** A replica of a service as a server, which verifies the gateway's identity tokens. */
export interface StubUpstream {
  origin: string;
  serves: ReadonlySet<RouteName>;
  app: NestFastifyApplication;
  /** Simulates `kill -9`: connections break, new ones are refused. */
  kill(): Promise<void>;
}

export interface StubOptions {
  audience: string;
  work: Work;
  clock: Clock;
  port?: number;
  keys?: typeof sharedKeys;
  /** Adds hooks before the start. */
  prepare?: (app: NestFastifyApplication) => void;
}

export async function startStubUpstream({
  audience,
  work,
  clock,
  port = 0,
  keys = sharedKeys,
  prepare,
}: StubOptions): Promise<StubUpstream> {
  class StubModule {}
  Module({ controllers: [stubService(work)] })(StubModule);
  const logger = createLogger({ level: 'silent', service: audience });
  const app = await createApp(StubModule, { logger });
  useSigns(fastifyOf(app));
  useInternalIdentity(fastifyOf(app), { keys, audience, clock, logger });
  prepare?.(app);
  await app.listen(port, '127.0.0.1');
  const { server } = fastifyOf(app);
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    serves: servedRoutes(app),
    app,
    async kill() {
      server.closeAllConnections();
      await app.close();
    },
  };
}
