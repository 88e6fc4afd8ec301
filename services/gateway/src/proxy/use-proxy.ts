import { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceName } from '@svc/contracts/http/route';
import { type RouteName, routes } from '@svc/contracts/routes';
import { type Clock, DomainError } from '@svc/kernel';
import { createIdentitySigner, fastifyOf, givenTraceparent, type InternalKeys, validatedBody, keysFor, type Logger } from '@svc/service';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { addressScope, callerAddress, type Proxies, trustedProxies } from '../edge/addresses.ts';
import { MOST_KEPT } from '../edge/idempotent.ts';
import { type Send, createSender, type UpstreamRequest } from './send.ts';
import { type Answer, clientOf } from './exchange.ts';
import { createCertified } from './certified-for.ts';
import { deadlineOf, deadlineOfWait, LONG_MS, type Timeouts } from './deadlines.ts';
import { followPods } from './follow-pods.ts';
import { headersTo, showHeaders } from './headers.ts';
import { measureUpstreams } from './metrics.ts';
import { liveProgress } from './live-progress.ts';
import { type Before, issuerFor } from './issuer-for.ts';
import { type Finish, statusOfDocument } from './status-of-document.ts';
import { createUpstream, type Upstream } from './upstream.ts';
import { createWaiting, type Waits, waitsOf } from './waiting.ts';

export type ProxiedService = Exclude<ServiceName, 'gateway'>;

export interface ProxyOptions {
  /** Origins of each service's replicas. */
  origins: Record<ProxiedService, readonly string[]>;
  /** Of the names that have the addresses of all replicas; undefined: an origin of `origins` is one. */
  podsSuffix?: string | undefined;
  trustedProxies: readonly string[];
  /** Routes to forward. Those of the gateway itself are skipped. */
  served: ReadonlySet<RouteName>;
  keys: InternalKeys;
  clock: Clock;
  logger: Logger;
  timeouts?: Partial<Timeouts>;
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal;
}

/** The services that open signed links, each below `/files/` by its name. */
const WITH_FILES = ['invoicing', 'fiscal-submission', 'reporting'] as const satisfies ProxiedService[];

/** Responses up to this many bytes are sent in one piece, which is cheaper than a stream. */
const MAX_BUFFERED = 64 * 1024;

/**
 * Forwards every served route of another service to it. For an app with `useEdge` that is not initialized yet. Connections to the services
 * are closed with the app, after the requests in flight. Throws when `keys` has no key for a service.
 */
export function useProxy(app: NestFastifyApplication, options: ProxyOptions): void {
  const { origins, podsSuffix, trustedProxies: trusted, served, keys, clock, logger, timeouts, stopping } = options;
  const fastify = fastifyOf(app);
  const send = createSender({ clock, logger });
  const sendWaiting = createWaiting(send, stopping);
  const sign = createIdentitySigner(keys, clock);
  const upstreams = new Map(Object.entries(origins).map(([name, of]) => [name, createUpstream({ name, origins: of, clock, timeouts })]));
  measureUpstreams(upstreams.values());
  const unfollow = podsSuffix === undefined ? undefined : followPods([...upstreams.values()], { suffix: podsSuffix, clock, logger });
  const [invoicing, submissions] = [upstreams.get('invoicing') as Upstream, upstreams.get('fiscal-submission') as Upstream];
  const certified = createCertified({ submissions, send, sign, clock });
  for (const name of served) {
    const upstream = upstreams.get(routes[name].service);
    if (upstream === undefined) continue;
    keysFor(keys, upstream.name); // throws at the start when there is none
    const finish = statusOfDocument(name, { invoicing, send, sign }) ?? liveProgress(name, { submissions, send, sign, clock });
    const before = certified.before(name, issuerFor(name, { invoicing, send, sign }));
    const forwarding = { deadline: deadlineOf(name), send, waits: waitsOf(name, sendWaiting), sign, logger, before, finish };
    fastify.route(forwardedRoute(name, forwardTo(upstream, forwarding)));
  }
  const proxies = trustedProxies(trusted);
  for (const name of WITH_FILES) fastify.route(filesRoute(upstreams.get(name) as Upstream, send, proxies));
  fastify.addHook('onClose', async () => {
    unfollow?.();
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** The Fastify route. The upstream validates its body, and each item of a batch. */
function forwardedRoute(name: RouteName, handler: Handler): RouteOptions {
  const { method, path, bodyLimit, body, items } = routes[name];
  const route = { method, url: `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, bodyLimit, handler, config: { forwards: name } };
  // The body of a batch is validated here, because its items are charged.
  return items && body ? { ...route, ...validatedBody(body) } : route;
}

interface Forwarding {
  deadline: number;
  send: Send;
  /** Of a route whose requests may wait. */
  waits: Waits | undefined;
  sign: ReturnType<typeof createIdentitySigner>;
  logger: Logger;
  before: Before | undefined;
  finish: Finish | undefined;
}

function forwardTo(upstream: Upstream, { deadline, send, waits, sign, logger, before, finish }: Forwarding): Handler {
  const answerTo = (request: FastifyRequest, reply: FastifyReply, sent: UpstreamRequest): ReturnType<Send> => {
    const seconds = waits?.seconds(request) ?? 0;
    if (!waits || seconds <= 0) return send(upstream, sent);
    const waiting = { ...sent, client: clientOf(reply), waits: true, deadline: deadlineOfWait(seconds) } as const;
    const atOnce = waits.atOnce(request, sent, () => sign(request.identity, upstream.name));
    return waits.send(upstream, { account: request.identity.account, waiting, atOnce });
  };
  return (request, reply) => {
    const method = request.method === 'HEAD' ? 'GET' : (request.method as UpstreamRequest['method']); // Fastify leaves the body out
    const upstreamRequest: UpstreamRequest = {
      method,
      path: pathOf(request),
      route: `/v1${request.requestContext?.route?.route.path ?? ''}`,
      ...{ holder: request.identity.account, traceparent: request.identity.traceparent },
      headers: (traceparent) => headersTo(request, sign(request.identity, upstream.name), traceparent),
      body: request.rawBody ?? null,
      deadline,
      maxBuffered: request.requestContext?.claim === undefined && !finish ? MAX_BUFFERED : MOST_KEPT,
      client: method === 'GET' ? clientOf(reply) : undefined,
    };
    const answered = before
      ? prepared(before, request, (more) => answerTo(request, reply, more), upstreamRequest)
      : answerTo(request, reply, upstreamRequest);
    const final = finish ? answered.then((answer) => (answer === 'aborted' ? answer : finish(request, answer))) : answered;
    final.then(
      (answer) => {
        if (answer === 'aborted') reply.code(499).send();
        else if (answer.status === 401) reply.send(identityRefused(upstream, request, logger));
        else show(request, reply, answer);
      },
      (error: unknown) => reply.send(error),
    );
  };
}

/** Asks with what is known before; without it, that answer is the answer. */
async function prepared(
  before: Before,
  request: FastifyRequest,
  ask: (sent: UpstreamRequest) => ReturnType<Send>,
  sent: UpstreamRequest,
): ReturnType<Send> {
  const known = await before(request);
  return 'answer' in known
    ? known.answer
    : ask({ ...sent, headers: (traceparent) => ({ ...sent.headers(traceparent), ...known.headers }) });
}

/** A file of many rows is read for so long before its next line. */
const FILE_SILENT_MS = 300_000;

/** Opens signed links (`/files/<service>.<token>`): their signature is all that is checked, by the service. */
function filesRoute(upstream: Upstream, send: Send, proxies: Proxies): RouteOptions {
  const url = `/files/${upstream.name}.:token`;
  return {
    method: 'GET',
    url,
    handler(request, reply) {
      const link: UpstreamRequest = {
        ...{ method: 'GET', path: pathOf(request), route: url, body: null, client: clientOf(reply) },
        ...{ maxBuffered: MAX_BUFFERED, deadline: LONG_MS, bodyTimeout: FILE_SILENT_MS },
        ...{ holder: addressScope(callerAddress(proxies, request.raw)), traceparent: givenTraceparent(request.headers.traceparent) },
        headers: (traceparent) => headersTo(request, undefined, traceparent),
      };
      send(upstream, link).then(
        (answer) => {
          if (answer === 'aborted') return void reply.code(499).send();
          if (answer.headers['x-request-id']) reply.removeHeader('x-request-id'); // an error names the one of the service
          show(request, reply, answer);
        },
        (error: unknown) => reply.send(error),
      );
    },
  };
}

function show({ method }: FastifyRequest, reply: FastifyReply, { status, headers, body }: Answer): void {
  showHeaders(reply, headers);
  reply.code(status);
  if (method !== 'HEAD' || Buffer.isBuffer(body)) return void reply.send(body);
  body.destroy(); // HEAD needs only the headers
  reply.send(Readable.from([]));
}

/** The path of the URL, also in absolute form. */
const pathOf = ({ raw: { url = '/' } }: FastifyRequest): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]*/i, ''));

/** An upstream's 401: the INTERNAL_KEYS differ, which the caller cannot fix. until 0.3: release 0.1.0 answers so too where a token has ended. */
function identityRefused({ name }: Upstream, { identity }: FastifyRequest, logger: Logger): DomainError {
  logger.error(
    { upstream: name, request_id: identity.requestId },
    'a service does not take our identity; has it the INTERNAL_KEYS that the gateway has for it? Release 0.1.0 says so too when it was busy for 45 s',
  );
  return new DomainError(
    'service_unavailable',
    'The service behind this path cannot be asked at the moment. Nothing was done; try again.',
    undefined,
    1,
  );
}
