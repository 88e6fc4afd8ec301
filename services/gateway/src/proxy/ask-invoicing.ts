import { STORED_BYTES, type StoredBytesResponse } from '@svc/contracts/account/stored-bytes';
import type { Clock } from '@svc/kernel';
import { createIdentitySigner, gatewayIdentity, IDENTITY_HEADER, type InternalKeys, type Logger } from '@svc/service';
import { createSender } from './send.ts';
import { createUpstream } from './upstream.ts';
import type { StoredBytes } from '../storage/usage.ts';

const MOST_BYTES = 64 * 1024;
/** No request waits for it. */
const ANSWER_MS = 4_000;

interface Invoicing {
  origins: readonly string[];
  keys: InternalKeys;
  clock: Clock;
  logger: Logger;
}

/** Asks invoicing in its own process. Rejects where no replica answers; until 0.3: one of 0.1.0 does not know the question. */
export function storedBytesAt({ origins, keys, clock, logger }: Invoicing): StoredBytes {
  const upstream = createUpstream({ name: 'invoicing', origins, clock, timeouts: { answer: ANSWER_MS } });
  const [send, sign] = [createSender({ clock, logger }), createIdentitySigner(keys, clock)];
  return async (accounts) => {
    const answer = await send(upstream, {
      ...{ method: 'POST', path: STORED_BYTES, route: STORED_BYTES, traceparent: undefined, client: undefined },
      headers: () => ({ [IDENTITY_HEADER]: sign(gatewayIdentity, upstream.name), 'content-type': 'application/json' }),
      body: Buffer.from(JSON.stringify({ accounts })),
      maxBuffered: MOST_BYTES,
    });
    if (answer === 'aborted' || answer.status !== 200 || !Buffer.isBuffer(answer.body))
      throw new Error(`invoicing answers ${answer === 'aborted' ? 'nothing' : answer.status}`);
    return (JSON.parse(answer.body.toString('utf8')) as StoredBytesResponse).bytes;
  };
}
