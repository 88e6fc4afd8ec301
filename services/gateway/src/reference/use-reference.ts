import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from '@svc/contracts/openapi/document';
import type { RouteName } from '@svc/contracts/routes';
import { fastifyOf } from '@svc/service';
import { landingPage } from './landing-page.ts';
import { isCurrent, type Page, pageOf, sendPage } from './page.ts';
import { referencePage, referencePolicy } from './reference-page.ts';
import { renderer } from './renderer.ts';

export interface ReferenceOptions {
  /** Called once, at the first request. */
  served: () => ReadonlySet<RouteName>;
  /** Public origin, without a trailing slash. */
  publicUrl: string;
}

/** Version of the interface. A breaking change raises it. */
const VERSION = 'v1';
/** Nothing is loaded, and no script runs. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** Serves `/openapi.json`, `/docs` (which renders it) and `/` without authentication. For an app that is not initialized yet. */
export function useReference(app: NestFastifyApplication, { served, publicUrl }: ReferenceOptions): void {
  const fastify = fastifyOf(app);
  const json = once(() =>
    pageOf(JSON.stringify(openApiDocument({ served: served(), publicUrl, version: VERSION })), {
      'content-type': 'application/json; charset=utf-8',
    }),
  );
  const reference = once(() => htmlPage(referencePage, referencePolicy));
  const landing = once(() => htmlPage(landingPage(publicUrl), PAGE_POLICY));
  const script = once(renderer);

  fastify.get('/openapi.json', (request, reply) => sendPage(request, reply, json()));
  fastify.get('/docs', (request, reply) => sendPage(request, reply, reference()));
  fastify.get('/', (request, reply) => sendPage(request, reply, landing()));
  fastify.get('/docs/redoc.js', (request, reply) => {
    const { headers, size, read } = script();
    reply.headers(headers);
    return isCurrent(request, headers) ? reply.code(304).send() : reply.header('content-length', size).send(read());
  });
}

const htmlPage = (html: string, policy: string): Page =>
  pageOf(html, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
