import { iso, timeOf, uidOf } from '@svc/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Named, namedFields } from './named-fields.ts';
import type { RequestRecorder } from './record-requests.ts';

interface ShownError {
  code: string;
  message: string;
  named: Named;
}

/** The dashboard asks whether there is one each time it opens a form: none is no failure. */
const UNFINISHED_FORM = '/console/forms/{name}';
/** Bytes. */
const LONGEST_ERROR = 256 * 1024;
const errors = new WeakMap<FastifyRequest, ShownError>();

/** Records requests with a valid key or session that are refused or fail, from what is answered. */
export function useRequestRecord(
  fastify: FastifyInstance,
  recorder: RequestRecorder,
  addressOf: (request: FastifyRequest) => string,
): void {
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400 && request.requestContext) {
      const shown = errorIn(payload);
      if (shown) errors.set(request, shown);
    }
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { requestContext } = request;
    done();
    if (!requestContext || reply.statusCode < 400 || requestContext.inside) return;
    const { requestId, principal, route } = requestContext;
    if (reply.statusCode === 404 && route?.route.path === UNFINISHED_FORM) return;
    const { code, message, named } = errors.get(request) ?? { code: 'unknown', message: '', named: {} };
    const fields = namedFields(route?.route, named);
    const key = request.headers['idempotency-key'];
    recorder.note({
      ...{ _id: requestId, scope: principal.scope, at: iso(timeOf(uidOf('req', requestId) ?? '')), method: request.method },
      ...{
        path: request.originalUrl.split('?')[0]?.slice(0, 2_048) ?? '',
        route: route ? `${route.route.method} ${pathOf(route.route.path)}` : 'unknown',
      },
      ...{ status: reply.statusCode, code, message, fields, duration_ms: Math.round(reply.elapsedTime), ip: addressOf(request) },
      ...{ key_id: principal.session ? null : principal.actor.id, member_id: principal.session ? principal.actor.id : null },
      idempotency_key: typeof key === 'string' ? key.slice(0, 255) : null,
    });
  });
}

const pathOf = (path: string): string => (path.startsWith('/console') ? path : `/v1${path}`);

function errorIn(payload: unknown): ShownError | undefined {
  const text = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString('utf8') : undefined;
  if (text === undefined || text.length > LONGEST_ERROR) return undefined;
  try {
    const parsed = JSON.parse(text) as { error?: Named & { code: string; message: string }; code?: string; detail?: string } & Named;
    const { code = '', message = '', ...named } = parsed.error ?? { ...parsed, message: parsed.detail };
    return { code, message: message.slice(0, 4_000), named };
  } catch {
    return undefined;
  }
}
