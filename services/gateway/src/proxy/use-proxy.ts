import { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Owner as OwnerName } from '@svc/contracts/http/route';
import { type RouteName, routes } from '@svc/contracts/routes';
import { type Clock, Refusal } from '@svc/kernel';
import { createIdentitySigner, fastifyOf, type InternalKeys, judgedBody, keysFor, type Logger } from '@svc/service';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { BATCH_SUBMIT } from '../edge/costings.ts';
import { MOST_KEPT } from '../edge/idempotent.ts';
import { type Ask, createAsk, type Question } from './ask.ts';
import type { Answer, Presence } from './exchange.ts';
import { headersTo, showHeaders } from './headers.ts';
import { createOwner, type Owner, type Patience } from './owner.ts';

/** The services behind the gateway. */
export type Behind = Exclude<OwnerName, 'gateway'>;

export interface ProxyOptions {
  /** Origins of each service's replicas. */
  origins: Record<Behind, readonly string[]>;
  /** Routes that are handed on; those of the gateway itself are not. */
  served: ReadonlySet<RouteName>;
  keys: InternalKeys;
  clock: Clock;
  logger: Logger;
  patience?: Partial<Patience>;
}

/** Answers up to this many bytes are sent in one piece, which is cheaper than a stream. */
const MOST_COLLECTED = 64 * 1024;

/**
 * Hands every served route that is not the gateway's own to the service that owns it; for an app that is behind `useEdge` and not
 * initialized yet. Connections to the services are closed with the app, once everything is answered.
 */
export function useProxy(app: NestFastifyApplication, options: ProxyOptions): void {
  const { origins, served, keys, clock, logger, patience } = options;
  const fastify = fastifyOf(app);
  const ask = createAsk({ clock, logger });
  const sign = createIdentitySigner(keys, clock);
  const owners = new Map(Object.entries(origins).map(([name, of]) => [name, createOwner({ name, origins: of, clock, patience })]));
  for (const name of served) {
    const owner = owners.get(routes[name].owner);
    if (owner === undefined) continue;
    keysFor(keys, owner.name); // told at the start where there is none
    fastify.route(handedOn(name, handOn(owner, ask, sign, logger)));
  }
  fastify.addHook('onClose', async () => void (await Promise.all([...owners.values()].map((owner) => owner.close()))));
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** The route as its owner has it, but for the schema of its body, which the owner judges. */
function handedOn(name: RouteName, handler: Handler): RouteOptions {
  const { method, path, bodyLimit, body } = routes[name];
  const route = { method, url: `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, bodyLimit, handler, config: { handsOn: name } };
  // What is charged for each id is charged once the ids are known to be some.
  return name === BATCH_SUBMIT && body ? { ...route, ...judgedBody(body) } : route;
}

function handOn(owner: Owner, ask: Ask, sign: ReturnType<typeof createIdentitySigner>, logger: Logger): Handler {
  return (request, reply) => {
    const method = request.method === 'HEAD' ? 'GET' : (request.method as Question['method']); // Fastify leaves the body out
    const question: Question = {
      method,
      path: pathOf(request),
      route: `/v1${request.passage?.route?.route.path ?? ''}`,
      traceparent: request.identity.traceparent,
      headers: (traceparent) => headersTo(request, sign(request.identity, owner.name), traceparent),
      body: request.rawBody ?? null,
      mostCollected: request.passage?.claim === undefined ? MOST_COLLECTED : MOST_KEPT,
      presence: method === 'GET' ? presenceOf(reply) : undefined,
    };
    ask(owner, question).then(
      (answer) => {
        if (answer === 'aborted') reply.code(499).send();
        else if (answer.status === 401) reply.send(unknownToOwner(owner, request, logger));
        else show(request, reply, answer);
      },
      (error: unknown) => reply.send(error),
    );
  };
}

function show({ method }: FastifyRequest, reply: FastifyReply, { status, headers, body }: Answer): void {
  showHeaders(reply, headers);
  reply.code(status);
  if (method !== 'HEAD' || Buffer.isBuffer(body)) return void reply.send(body);
  body.destroy(); // its head is all that was asked for
  reply.send(Readable.from([]));
}

/** Also where the caller wrote the URL with its origin. */
const pathOf = ({ raw: { url = '/' } }: FastifyRequest): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]*/i, ''));

/** They are gone when the connection closes before the answer is written. */
function presenceOf({ raw }: FastifyReply): Presence {
  const presence: Presence = { gone: false };
  raw.once('close', () => {
    presence.gone = !raw.writableFinished;
    if (presence.gone) presence.left?.();
  });
  return presence;
}

/** The caller's key is good, ours are not: nothing that the caller could mend. */
function unknownToOwner({ name }: Owner, { identity }: FastifyRequest, logger: Logger): Refusal {
  logger.error(
    { owner: name, request_id: identity.requestId },
    'a service does not take our identity; has it the INTERNAL_KEYS that the gateway has for it?',
  );
  return new Refusal(
    'service_unavailable',
    'The service behind this path cannot be asked at the moment. Nothing was done; try again.',
    undefined,
    1,
  );
}
