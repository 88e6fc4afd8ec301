import { randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastifyOf } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isBuilt, pagesFolder, readPages } from './built-pages.ts';
import { html } from '../reference/html.ts';
import { takenEncodings } from '../reference/page.ts';
import { isLoopback, isOfHost } from './own-host.ts';

export interface PagesOptions {
  /** Public origin, without a trailing slash: the pages are of its host alone. */
  publicUrl: string;
  /** Of the built dashboard. */
  folder?: string;
}

/** A host that is not the dashboard's (RFC 9110, 15.5.20). */
const MISDIRECTED = 421;
const NONCE_BYTES = 18;

/**
 * Serves the dashboard: its one page at `/` and at every path under `/app`, for anyone, and its files at `/assets/*`. Where it is not built
 * it serves nothing. For an app that is not initialized yet.
 */
export function usePages(app: NestFastifyApplication, { publicUrl, folder = pagesFolder }: PagesOptions): void {
  const fastify = fastifyOf(app);
  if (!isBuilt(folder)) return;
  let built: ReturnType<typeof readPages> | undefined;
  const pages = (): ReturnType<typeof readPages> => {
    built ??= readPages(folder);
    built.catch(() => (built = undefined));
    return built;
  };

  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { host = '' } = request.headers;
    if (!isOfHost(publicUrl, host))
      return reply
        .code(isLoopback(host) ? 200 : MISDIRECTED)
        .headers(elsewhereHeaders)
        .send(elsewherePage(publicUrl));
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return reply.headers(pageHeaders(nonce)).send((await pages()).index(nonce));
  };
  for (const path of ['/', '/app', '/app/*']) fastify.get(path, page);

  fastify.get('/assets/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    const asset = await (await pages()).asset(path);
    if (!asset) return reply.callNotFound();
    const { brotli, identity, contentType } = asset;
    const isSmall = brotli !== undefined && takesBrotli(request);
    return reply
      .headers({ ...assetHeaders, 'content-type': contentType, ...(isSmall && { 'content-encoding': 'br' }) })
      .send(isSmall ? brotli : identity);
  });
}

const takesBrotli = (request: FastifyRequest): boolean => takenEncodings(request, ['br', 'identity']).includes('br');

/** What another host answers in the place of the dashboard's page: its address. `path` is not repeated, since whoever made the link chose it. */
const elsewherePage = (publicUrl: string): string =>
  html`<!doctype html>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>The dashboard has another address</title>
    <p>The dashboard is at <a href="${publicUrl}/">${publicUrl}</a>. The <a href="/docs">reference</a> of the API is here.</p> `.text;

const elsewhereHeaders = {
  ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  ...{ 'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'", 'x-content-type-options': 'nosniff' },
};

/**
 * Headers of the dashboard's page. Scripts and styles come from this origin; style elements of the component library have the nonce. Nothing frames it, and text
 * becomes markup by the page's one policy of Trusted Types alone. It is stored nowhere, so that a browser asks for the files of the newest build.
 */
const pageHeaders = (nonce: string): Record<string, string> => ({
  ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'", // PDFs, beside a document
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; '),
  ...{ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  'cross-origin-opener-policy': 'same-origin',
});

/** Headers of what never changes under its name. */
const assetHeaders = {
  ...{ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' },
  ...{ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' },
};
