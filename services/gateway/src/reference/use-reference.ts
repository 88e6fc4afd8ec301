import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from '@svc/contracts/http/openapi';
import type { RouteName } from '@svc/contracts/http/routes';
import { fastifyOf } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import type { Published } from './document.ts';
import { landingPage } from './landing-page.ts';
import { referencePage } from './reference-page.ts';

export interface ReferenceOptions {
  /** Asked once, when somebody first reads. */
  served: () => ReadonlySet<RouteName>;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
}

/** Of the interface: what a change of it that breaks callers would raise. */
const VERSION = 'v1';
/** Nothing is loaded from anywhere, and nothing runs. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** Serves `/openapi.json`, `/docs` (made of it) and `/` to anyone; for an app that is not initialized yet. */
export function useReference(app: NestFastifyApplication, { served, publicUrl }: ReferenceOptions): void {
  const fastify = fastifyOf(app);
  const document = once(() => openApiDocument({ served: served(), publicUrl, version: VERSION }) as Published);
  const json = once(() => JSON.stringify(document()));
  const reference = once(() => referencePage(document()));

  fastify.get('/openapi.json', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(json()));
  fastify.get('/docs', (_request, reply) => page(reply, reference()));
  fastify.get('/', (_request, reply) => page(reply, landingPage(publicUrl)));
}

const page = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY, 'x-content-type-options': 'nosniff' })
    .send(html);

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
