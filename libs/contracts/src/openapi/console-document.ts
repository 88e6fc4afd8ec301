import { type ConsoleAccess, type ConsoleRoute, consoleRouteNames, consoleRoutes, type Incomplete } from '../console/routes.ts';
import { stepUpRoutes } from '../console/step-up.ts';
import type { Route } from '../http/route.ts';
import { type RouteName, routeNames, routes } from '../routes.ts';
import { type Components, createComponents } from './components.ts';
import { consoleFailures } from './failures.ts';
import type { Published } from './document.ts';
import { unfinished } from './examples/console.ts';
import { failureResponses } from './errors.ts';
import { answerHeaders, requestHeaders } from './headers.ts';
import { operationOf } from './operation.ts';

/** Where the dashboard does something of its own: it signs in, asks for the password again, reads again, waits. */
const OWN_RESPONSES = ['401', '403', '409', '412', '422', '429'] as const;

const environment = {
  ...{ name: 'X-Livemode', in: 'header', required: true, schema: { type: 'string', enum: ['true', 'false'] } },
  description: 'The environment to act in: `true` for live.',
};
const origin = {
  ...{ name: 'Origin', in: 'header', required: true, schema: { type: 'string', maxLength: 255 } },
  description: 'That of the dashboard, which browsers send by themselves with every write.',
};

const shown = {
  ...{ name: 'X-Member', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } },
  description:
    'The member that the page shows, `mem_…`: where the session acts as another by now, 409 `session_changed`, and nothing is done.',
};
const unattended = {
  ...{ name: 'X-Unattended', in: 'header', required: false, schema: { type: 'string', enum: ['true'] } },
  description: 'A page reads again by itself, without a person before it: this is no use of the session.',
};

const anyObject = { required: true, content: { 'application/json': { schema: { type: 'object' }, example: unfinished } } };

const who: Partial<Record<ConsoleAccess, string>> = {
  anyone: 'Anyone may.',
  member: 'Any member may.',
  administrators: 'Owners and admins may.',
};
const permitted = (permission: string): string => `Needs the permission \`${permission}\`.`;
const STEP_UP = 'Password or code must have been given lately (403 `step_up_required`)';

const lacks: Record<Incomplete, string> = { password: 'a password', code: 'the code', totp: 'two factors' };

/** The OpenAPI 3.1 document of the dashboard's interface, which its own client is made from. */
export function consoleDocument({ served, publicUrl, version }: Published): object {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  const add = (path: string, method: string, operation: object): void => {
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  };
  for (const name of consoleRouteNames)
    add(consoleRoutes[name].path, consoleRoutes[name].method, ownOperation(consoleRoutes[name], components));
  for (const name of routeNames)
    if (served.has(name) && name !== 'POST /api-keys/rotate')
      add(`/console/v1${routes[name].path}`, routes[name].method, mirrored(name, components));
  return {
    openapi: '3.1.0',
    info: { title: 'The dashboard’s interface', version, description: 'For the dashboard alone: it may change with any release.' },
    servers: [{ url: publicUrl }],
    security: [{ session: [] }],
    tags: [{ name: 'console', description: 'What the dashboard alone has.' }],
    paths,
    components: {
      ...{ schemas: components.schemas, responses: failureResponses(components, consoleFailures, OWN_RESPONSES) },
      ...{ headers: answerHeaders, parameters: requestHeaders },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: nameOfCookie(publicUrl), description: 'Set by `POST /console/session`.' },
      },
    },
  };
}

const nameOfCookie = (publicUrl: string): string => (publicUrl.startsWith('http:') ? 'svc_session' : '__Secure-svc_session');

interface Operation {
  parameters: object[];
  responses: Record<string, object>;
}

/** A route that the dashboard alone has. */
function ownOperation(row: ConsoleRoute, components: Components): object {
  const operation = operationOf(asRoute(row), components) as Operation;
  return {
    ...operation,
    ...(row.operation !== undefined && { operationId: row.operation }),
    ...(row.may === 'anyone' && { security: [] }),
    tags: ['console'],
    description: described(row),
    ...(row.opaque && { requestBody: anyObject }),
    ...withSession(operation, row),
  };
}

/** A route of the API under the session of a member. */
function mirrored(name: RouteName, components: Components): object {
  const route = routes[name];
  const operation = operationOf(route, components) as Operation;
  const may = route.permission === null ? 'Any member may.' : permitted(route.permission);
  const row = stepUpRoutes[name];
  const again = row ? [`In live: ${STEP_UP}${row.when === undefined ? '' : `, ${row.when}`}.`] : [];
  return {
    ...operation,
    description: [may, ...again].join(' '),
    ...withSession(operation, { method: route.method, livemode: true, may: 'member' }),
  };
}

function withSession(
  { parameters, responses }: Operation,
  { method, livemode, ifMatch, may }: Pick<ConsoleRoute, 'method' | 'livemode' | 'ifMatch' | 'may'>,
): Partial<Operation> {
  const headers = [
    ...(ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(method === 'GET' ? [unattended] : [origin]),
    ...(may === 'anyone' ? [] : [shown]),
    ...(livemode ? [environment] : []),
  ];
  const refused = { '401': { $ref: '#/components/responses/Unauthorized' }, '403': { $ref: '#/components/responses/Forbidden' } };
  return { parameters: [...parameters, ...headers], responses: { ...responses, ...refused } };
}

function described({ may, personal, stepUp, stepUpWhen, incomplete, suspended }: ConsoleRoute): string {
  const sentences = [
    who[may] ?? permitted(may),
    ...(personal ? ['Not for a role that does not see personal data.'] : []),
    ...(stepUp ? [`${STEP_UP}.`] : stepUpWhen === undefined ? [] : [`${STEP_UP} ${stepUpWhen}.`]),
    ...(incomplete ? [`Open to sessions that lack ${incomplete.map((one) => lacks[one]).join(' or ')}.`] : []),
    ...(suspended ? ['Open to members of a suspended account.'] : []),
  ];
  return sentences.join(' ');
}

/** A row of the dashboard as the published document reads rows. */
function asRoute({ method, path, ok, body, query, response, bodyLimit, summary }: ConsoleRoute): Route {
  const row = { method, path, ok, query, response, bodyLimit, summary };
  return { ...row, permission: null, service: 'gateway', served: true, ...(body && { body }) };
}
