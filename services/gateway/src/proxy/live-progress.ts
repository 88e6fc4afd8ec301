import { documentKinds } from '@svc/contracts/documents';
import { isWaiting, PROGRESS_HEADER, progressIn, type Progress, withLiveProgress } from '@svc/contracts/document/progress';
import { type RouteName, routes } from '@svc/contracts/routes';
import type { Clock } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { MOST_KEPT } from '../edge/idempotent.ts';
import type { Client } from './exchange.ts';
import { READ_MS } from './deadlines.ts';
import { headersTo } from './headers.ts';
import type { Send } from './send.ts';
import type { Finish } from './status-of-document.ts';
import type { Upstream } from './upstream.ts';

const reads = new Map<RouteName, RouteName>(documentKinds.map((kind) => [`GET /${kind}s/{id}`, `GET /${kind}s/{id}/attempts`]));

interface Asking {
  submissions: Upstream;
  send: Send;
  sign: (identity: Identity, service: string) => string;
  clock: Clock;
}

/**
 * For the routes that read one document; undefined for all others. Of a document that waits for its authority fiscal-submission is asked how far that is. An
 * answer that is a stream stays as it is.
 */
export function liveProgress(name: RouteName, { submissions, send, sign, clock }: Asking): Finish | undefined {
  const attempts = reads.get(name);
  if (attempts === undefined) return undefined;
  const { path } = routes[attempts];

  return async (request, answer) => {
    if (answer.status !== 200 || !Buffer.isBuffer(answer.body)) return answer;
    const text = String(answer.body);
    if (!isWaiting(text)) return answer;
    const client: Client = { gone: false };
    const look = async (): Promise<Progress | undefined> => {
      const answered = await send(submissions, {
        ...{ method: 'GET', path: `/v1${path.replace('{id}', idOf(request))}?per_page=1`, route: `/v1${path}` },
        ...{ traceparent: request.identity.traceparent, holder: request.identity.account },
        headers: (traceparent) => headersTo(request, sign(request.identity, submissions.name), traceparent),
        ...{ body: null, maxBuffered: MOST_KEPT, client, deadline: READ_MS },
      });
      return answered === 'aborted' || answered.status !== 200 ? undefined : progressIn(answered.headers[PROGRESS_HEADER]);
    };
    const late = (): void => {
      client.gone = true;
      client.onGone?.();
    };
    const body = Buffer.from(await withLiveProgress(text, look, clock, late));
    return { ...answer, headers: { ...answer.headers, 'content-length': String(body.length) }, body };
  };
}

const idOf = ({ params }: FastifyRequest): string => encodeURIComponent((params as { id: string }).id);
