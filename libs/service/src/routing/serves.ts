import { applyDecorators, HttpCode, RequestMapping, RequestMethod, type INestApplication } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { routes, type RouteName } from '@svc/contracts/routes';
import type { FastifyInstance } from 'fastify';
import { fastifyOf } from '../boot/fastify-of.ts';
import { bodyCheck } from './body-check.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the table that a handler serves. */
    serves?: RouteName;
    /** The route of the table that is handed on to the service that serves it. */
    handsOn?: RouteName;
  }
  interface FastifyInstance {
    servedRoutes: Set<RouteName>;
  }
}

/** Makes a controller's method serve a route of the table: its method, path under /v1, status, and the schema and size of its body. */
export function Serves(name: RouteName): MethodDecorator {
  const route = routes[name];
  return applyDecorators(
    RequestMapping({ path: `/v1${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, method: RequestMethod[route.method] }),
    HttpCode(route.ok),
    RouteConfig({ serves: name }),
  );
}

/**
 * Gives the routes of the table their schemas and limits as Nest adds them. Throws on one under /v1 that is not in the table: nobody
 * would know which permission it needs.
 */
export function useServedRoutes(fastify: FastifyInstance): void {
  fastify.decorate('servedRoutes', new Set<RouteName>());
  fastify.addHook('onRoute', (added) => {
    const name = added.config?.serves;
    if (name === undefined) {
      if (/^\/v1(?:\/|$)/.test(added.url) && !added.config?.handsOn)
        throw new Error(`${String(added.method)} ${added.url} is not in the table of routes: it has no permission`);
      return;
    }
    const { body, bodyLimit, method } = routes[name];
    fastify.servedRoutes.add(name);
    added.bodyLimit = bodyLimit;
    if (!body || method === 'GET') return;
    added.schema = { body: {} };
    added.validatorCompiler = () => bodyCheck(body);
  });
}

/** The routes of the table that `app` serves, known once it was initialized. */
export const servedRoutes = (app: INestApplication): ReadonlySet<RouteName> => fastifyOf(app).servedRoutes;
