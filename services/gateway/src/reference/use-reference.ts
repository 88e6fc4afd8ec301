import { hash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from '@svc/contracts/http/openapi';
import type { RouteName } from '@svc/contracts/http/routes';
import { fastifyOf } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { landingPage } from './landing-page.ts';
import { referencePage, referencePolicy } from './reference-page.ts';
import { renderer } from './renderer.ts';

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

/** Serves `/openapi.json`, `/docs` (which renders it) and `/` to anyone; for an app that is not initialized yet. */
export function useReference(app: NestFastifyApplication, { served, publicUrl }: ReferenceOptions): void {
  const fastify = fastifyOf(app);
  const document = once(() => tagged(JSON.stringify(openApiDocument({ served: served(), publicUrl, version: VERSION }))));
  const reference = once(() => tagged(referencePage));
  const script = once(renderer);

  fastify.get('/openapi.json', (request, reply) =>
    answer(request, reply, document(), { 'content-type': 'application/json; charset=utf-8' }),
  );
  fastify.get('/docs', (request, reply) => answer(request, reply, reference(), pageHeaders(referencePolicy)));
  fastify.get('/docs/redoc.js', (request, reply) => {
    const { etag, size, read } = script();
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(size),
      'x-content-type-options': 'nosniff',
    };
    return request.headers['if-none-match'] === etag ? notModified(reply, etag) : reply.headers({ ...headers, etag }).send(read());
  });
  fastify.get('/', (_request, reply) => reply.headers(pageHeaders(PAGE_POLICY)).send(landingPage(publicUrl)));
}

interface Tagged {
  text: string;
  etag: string;
}
const tagged = (text: string): Tagged => ({ text, etag: `"${hash('sha256', text, 'base64url')}"` });

const answer = (request: FastifyRequest, reply: FastifyReply, { text, etag }: Tagged, headers: Record<string, string>): FastifyReply =>
  request.headers['if-none-match'] === etag ? notModified(reply, etag) : reply.headers({ ...headers, etag }).send(text);

const notModified = (reply: FastifyReply, etag: string): FastifyReply => reply.status(304).header('etag', etag).send();

const pageHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
});

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
