import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RouteName } from '@svc/contracts/routes';
import { fastifyOf } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from './page.ts';

export interface ReferenceOptions {
  /** Called once, at the first request. */
  served: () => ReadonlySet<RouteName>;
  /** Public origin, without a trailing slash. */
  publicUrl: string;
}

/**
 * Serves `/openapi.json`, `/docs` with the pages below it, `/llms.txt`, and `/` where the dashboard does not, without authentication. For an app that is not
 * initialized yet.
 */
export function useReference(app: NestFastifyApplication, { served, publicUrl }: ReferenceOptions): void {
  const fastify = fastifyOf(app);
  const files = once(async () => (await import('./public-files.ts')).publicFiles(served(), publicUrl));

  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const page = await (await files())(pathOf(request.url));
    if (page) sendPage(request, reply, page);
    else reply.callNotFound();
    await reply;
  };
  if (!fastify.hasRoute({ method: 'GET', url: '/' })) fastify.get('/', send);
  for (const path of ['/openapi.json', '/llms.txt', '/docs', '/docs.md', '/docs/*']) fastify.get(path, send);
}

/** Without the query and a trailing slash. */
const pathOf = (url: string): string => (url.split('?')[0] ?? '').replace(/(.)\/$/, '$1');

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
