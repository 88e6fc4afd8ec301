import { applyDecorators, HttpCode, Req, RequestMapping, RequestMethod, Res, type INestApplication } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { routes, type AnswerOf, type BodyOf, type ParamsOf, type QueryOf, type RouteName } from '@svc/contracts/routes';
import type { JsonText } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonStream } from '../answers/json-stream.ts';
import { fastifyOf } from './fastify-of.ts';
import { validatedBody } from './checks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the table that a handler serves. */
    serves?: RouteName;
    /** The route of the table that is forwarded to its service. */
    forwards?: RouteName;
  }
  interface FastifyInstance {
    servedRoutes: Set<RouteName>;
  }
}

/** A validated request of the route, with the types of its body, query and path parameters. */
export type RequestOf<Name extends RouteName> = FastifyRequest<{
  Body: BodyOf<Name>;
  Querystring: QueryOf<Name>;
  Params: ParamsOf<Name>;
}>;

type Answered<Name extends RouteName> = AnswerOf<Name> | JsonText | JsonStream;
type Handler<Name extends RouteName> = (request: RequestOf<Name>, reply: FastifyReply) => Answered<Name> | Promise<Answered<Name>>;

/**
 * Makes a controller's method the handler of a route: with its HTTP method, path under /v1, status, and the schema and size of its body. The
 * handler gets the request and the reply.
 */
export function Serves<Name extends RouteName>(name: Name) {
  const route = routes[name];
  const mapped = applyDecorators(
    RequestMapping({ path: `/v1${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, method: RequestMethod[route.method] }),
    HttpCode(route.ok),
    RouteConfig({ serves: name }),
  );
  return <Method extends Handler<Name>>(controller: object, key: string, method: TypedPropertyDescriptor<Method>): void => {
    mapped(controller, key, method);
    Req()(controller, key, 0);
    if (method.value && method.value.length > 1) Res({ passthrough: true })(controller, key, 1);
  };
}

/**
 * Adds the schemas and size limits of the table to the routes that Nest registers. Throws on a route under /v1 that is not in the table, because
 * its permission is not known.
 */
export function useServedRoutes(fastify: FastifyInstance): void {
  fastify.decorate('servedRoutes', new Set<RouteName>());
  fastify.addHook('onRoute', (added) => {
    const name = added.config?.serves;
    if (name === undefined) {
      if (/^\/v1(?:\/|$)/.test(added.url) && !added.config?.forwards)
        throw new Error(`${String(added.method)} ${added.url} is not in the table of routes: it has no permission`);
      return;
    }
    const { body, bodyLimit, method } = routes[name];
    fastify.servedRoutes.add(name);
    added.bodyLimit = bodyLimit;
    if (body && method !== 'GET') Object.assign(added, validatedBody(body));
  });
}

/** The routes of the table that `app` serves. Complete after the app is initialized. */
export const servedRoutes = (app: INestApplication): ReadonlySet<RouteName> => fastifyOf(app).servedRoutes;
