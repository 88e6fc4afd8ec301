import { createComponents } from '../openapi/components.ts';
import { failureResponses } from '../openapi/errors.ts';
import { answerHeaders, requestHeaders } from '../openapi/headers.ts';
import { operationOf } from '../openapi/operation.ts';
import type { Published } from '../openapi/document.ts';
import { type Route } from '../http/route.ts';
import { routeNames, routes } from '../routes.ts';
import { type ConsoleAccess, type ConsoleRoute, consoleRouteNames, consoleRoutes } from './routes.ts';

const livemode = (required: boolean) => ({
  ...{ name: 'X-Livemode', in: 'header', required, schema: { type: 'string', enum: ['true', 'false'] } },
  description: 'The environment to act in.',
});

const who: Partial<Record<ConsoleAccess, string>> = {
  anyone: 'Anyone may.',
  member: 'Any member may.',
  administrators: 'Owners and admins may.',
};

/** The OpenAPI 3.1 document of the dashboard's interface, which its own client is made from. */
export function consoleDocument({ served, publicUrl, version }: Published): object {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  const add = (path: string, method: string, operation: object): void => {
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  };
  for (const name of consoleRouteNames) {
    const row = consoleRoutes[name];
    const operation = operationOf(asRoute(row), components) as { parameters: object[] };
    const described = { ...operation, tags: ['console'], description: who[row.may] ?? `Needs the permission \`${row.may}\`.` };
    add(row.path, row.method, { ...described, parameters: [...operation.parameters, ...(row.livemode ? [livemode(true)] : [])] });
  }
  for (const name of routeNames) {
    if (!served.has(name) || name === 'POST /api-keys/rotate') continue;
    const operation = operationOf(routes[name], components) as { parameters: object[] };
    add(`/console/v1${routes[name].path}`, routes[name].method, { ...operation, parameters: [...operation.parameters, livemode(true)] });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'The dashboard’s interface', version, description: 'For the dashboard alone: it may change with any release.' },
    servers: [{ url: publicUrl }],
    security: [{ session: [] }],
    paths,
    components: {
      ...{ schemas: components.schemas, responses: failureResponses(components), headers: answerHeaders, parameters: requestHeaders },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'svc_session' } },
    },
  };
}

/** A row of the dashboard as the published document reads rows. */
function asRoute(row: ConsoleRoute): Route {
  const { method, path, ok, body, query, response, bodyLimit, summary } = row;
  return {
    method,
    path,
    ok,
    query,
    response,
    bodyLimit,
    summary,
    permission: null,
    service: 'gateway',
    served: true,
    ...(body && { body }),
  };
}
