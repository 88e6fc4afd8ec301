import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ConsoleRouteName, consoleRouteNames, consoleRoutes } from '@svc/contracts/console/routes';
import type { RouteName } from '@svc/contracts/routes';
import type { Clock } from '@svc/kernel';
import { createQueryCheck, fastifyOf, validatedBody } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Insiders } from '../principals/inside/ask-inside.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { useJoinedAnswers } from './use-joined-answers.ts';

export interface ConsoleOptions {
  handlers: ConsoleHandlers;
  insiders: Insiders;
  /** Called once, at the first request. */
  served: () => ReadonlySet<RouteName>;
  publicUrl: string;
  clock: Pick<Clock, 'now'>;
}

type AnyHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Serves the dashboard's own routes, and their document. For an app with `useEdge` that is not initialized yet. */
export function useConsole(app: NestFastifyApplication, { handlers, insiders, served, publicUrl, clock }: ConsoleOptions): void {
  const fastify = fastifyOf(app);
  const checkQuery = createQueryCheck();
  useJoinedAnswers(fastify, insiders, clock);
  for (const name of consoleRouteNames) {
    const { method, path, ok, body, bodyLimit, may } = consoleRoutes[name];
    const handle = handlers[name as ConsoleRouteName] as AnyHandler;
    fastify.route({
      ...{ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), bodyLimit },
      ...(body ? validatedBody(body) : {}),
      async handler(request, reply) {
        // The edge checks the query of those that it lets in by a session.
        const wrong = may === 'anyone' ? checkQuery(request, consoleRoutes[name]) : undefined;
        if (wrong) throw wrong;
        const answer = await handle(request, reply);
        return reply.code(ok).send(answer);
      },
    });
  }
  let document: Promise<string> | undefined;
  const made = async (): Promise<string> => (await import('./document-text.ts')).documentText(served(), publicUrl);
  fastify.get('/console/openapi.json', async (_request, reply) => {
    document ??= made();
    document.catch(() => (document = undefined));
    return reply.header('content-type', 'application/json; charset=utf-8').send(await document);
  });
}
