import { STORED_BYTES, type StoredBytes, type StoredBytesResponse } from '@svc/contracts/account/stored-bytes';
import { ENDPOINT_HOURS, type EndpointHours, type EndpointHoursResponse } from '@svc/contracts/webhook/endpoint-hours';
import type { Clock } from '@svc/kernel';
import { createIdentitySigner, gatewayIdentity, IDENTITY_HEADER, type InternalKeys, logFailure, type Logger } from '@svc/service';
import { unavailable } from '../principals/inside/unavailable.ts';
import { createSender } from './send.ts';
import { createUpstream } from './upstream.ts';

const MOST_BYTES = 64 * 1024;
/** Of a service that counts. */
const ANSWER_MS = 10_000;

interface Service {
  origins: readonly string[];
  keys: InternalKeys;
  clock: Clock;
  logger: Logger;
}

/** Asks a service that counts, in its own process. Rejects where no replica answers; until 0.3: one of 0.1.0 does not know the question. */
export function storedBytesAt(name: 'invoicing' | 'fiscal-submission' | 'webhooks-dispatcher', service: Service): StoredBytes {
  const ask = asking<StoredBytesResponse>(name, STORED_BYTES, service);
  return async (accounts) => (await ask({ accounts })).bytes;
}

/** Asks webhooks-dispatcher in its own process. Throws service_unavailable where no replica answers, or it is of a release that does not know the question. */
export function endpointHoursAt(dispatcher: Service): EndpointHours {
  const ask = asking<EndpointHoursResponse>('webhooks-dispatcher', ENDPOINT_HOURS, dispatcher);
  return (asked) =>
    ask(asked).catch((error: unknown) => {
      logFailure(dispatcher.logger, error, 'the attempts of an endpoint cannot be counted');
      throw unavailable();
    });
}

function asking<Answer>(name: string, path: string, { origins, keys, clock, logger }: Service): (body: object) => Promise<Answer> {
  const upstream = createUpstream({ name, origins, clock, timeouts: { answer: ANSWER_MS } });
  const [send, sign] = [createSender({ clock, logger }), createIdentitySigner(keys, clock)];
  return async (body) => {
    const answer = await send(upstream, {
      ...{ method: 'POST', path, route: path, traceparent: undefined, client: undefined, holder: gatewayIdentity.account },
      headers: () => ({ [IDENTITY_HEADER]: sign(gatewayIdentity, upstream.name), 'content-type': 'application/json' }),
      deadline: ANSWER_MS,
      body: Buffer.from(JSON.stringify(body)),
      maxBuffered: MOST_BYTES,
    });
    if (answer === 'aborted' || answer.status !== 200 || !Buffer.isBuffer(answer.body))
      throw new Error(`${name} answers ${answer === 'aborted' ? 'nothing' : answer.status}`);
    return JSON.parse(answer.body.toString('utf8')) as Answer;
  };
}
