import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from '@svc/contracts/http/openapi';
import type { RouteName } from '@svc/contracts/http/routes';
import { fastifyOf } from '@svc/service-kit';
import type { Published } from './document.ts';
import { landingPage } from './landing-page.ts';
import { type Page, pageOf, sendPage } from './page.ts';
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
  const json = once(() => pageOf(JSON.stringify(document()), { 'content-type': 'application/json; charset=utf-8' }));
  const reference = once(() => htmlPage(referencePage(document())));
  const landing = once(() => htmlPage(landingPage(publicUrl)));

  fastify.get('/openapi.json', (request, reply) => sendPage(request, reply, json()));
  fastify.get('/docs', (request, reply) => sendPage(request, reply, reference()));
  fastify.get('/', (request, reply) => sendPage(request, reply, landing()));
}

const htmlPage = (html: string): Page =>
  pageOf(html, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY });

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
