import { randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastifyOf } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isBuilt, pagesFolder, readPages } from './built-pages.ts';
import { elsewhereHeaders, elsewherePage, isOfHost } from './elsewhere.ts';
import { assetHeaders, pageHeaders } from './page-headers.ts';

export interface PagesOptions {
  /** Public origin, without a trailing slash: the pages are of its host alone. */
  publicUrl: string;
  /** Of the built dashboard. */
  folder?: string;
}

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
    if (!isOfHost(publicUrl, request.headers.host)) return reply.headers(elsewhereHeaders).send(elsewherePage(publicUrl));
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

const takesBrotli = ({ headers }: FastifyRequest): boolean =>
  headers['accept-encoding'] !== undefined && new Negotiator({ headers }).encodings(['br', 'identity']).includes('br');
