import { SpanKind } from '@opentelemetry/api';
import { recentlyUsed } from '@svc/kernel';
import { answeredWith, clientAttributes, Counter, currentTraceparent, Histogram, inSpan } from '@svc/service';
import { signingSecrets } from '../endpoint/domain/endpoint.ts';
import { decrypted, type Endpoint } from '../endpoint/endpoint.ts';
import { redacted } from '../sending/redacted.ts';
import type { Answered, Send } from '../sending/send.ts';
import { keysOf, signatureHeaders, type SigningKeys } from '../sending/sign.ts';
import type { WebhooksContext } from './context.ts';
import { isSuccess, type Made } from './delivery.ts';

const attempts = new Counter({ name: 'svc_webhook_attempts_total', help: 'Webhook attempts by outcome', labelNames: ['outcome'] });
for (const outcome of ['succeeded', 'no_answer', 'refused']) attempts.inc({ outcome }, 0);
const seconds = new Histogram({
  name: 'svc_webhook_attempt_seconds',
  help: 'How long webhook attempts took',
  buckets: [0.01, 0.05, 0.25, 1, 5, 30],
});

/** Of ciphertexts and of URLs. */
const REMEMBERED = 10_000;

export interface Posted {
  event_id: string;
  body: Buffer;
  traceparent?: string | undefined;
  /** The delivery, for the span; none for a sample. */
  delivery?: string;
}

/**
 * Posts an event to an endpoint, signed, with the endpoint's own headers, whose values are not in the outcome. Never rejects but where a secret cannot be decrypted.
 */
export type Post = (endpoint: Endpoint, posted: Posted, signal: AbortSignal) => Promise<Made>;

export function createPost({ clock, ring }: Pick<WebhooksContext, 'clock' | 'ring'>, send: Send): Post {
  const keys = remembering((endpoint, ciphertext): SigningKeys => keysOf(decrypted(endpoint, ciphertext, ring)));
  const values = remembering((endpoint, ciphertext): string => decrypted(endpoint, ciphertext, ring));
  const attributes = recentlyUsed<ReturnType<typeof clientAttributes>>(REMEMBERED);

  const attributesOf = (url: string): ReturnType<typeof clientAttributes> => {
    let known = attributes.get(url);
    if (!known) attributes.set(url, (known = clientAttributes('POST', url)));
    return known;
  };

  const headersOf = (endpoint: Endpoint, { event_id, body, traceparent }: Posted): Record<string, string> => {
    const now = clock.now();
    const signing = signingSecrets(endpoint, now).map((secret) => keys(endpoint, secret));
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/1',
      ...(traceparent && { traceparent }),
      ...signatureHeaders(signing, event_id, Math.floor(now / 1000), body),
    };
    for (const { name, value } of endpoint.headers ?? []) headers[name] = values(endpoint, value);
    return headers;
  };

  /** Values of the endpoint's headers are stored encrypted alone, also where the receiver answers with them. */
  const withoutHeaders = (answered: Answered, endpoint: Endpoint): Answered => {
    if (answered.status === null || !endpoint.headers?.length) return answered;
    const own = endpoint.headers.map(({ value }) => values(endpoint, value));
    const { body, location } = answered;
    return { ...answered, body: redacted(body, own), ...(location !== undefined && { location: redacted(location, own) }) };
  };

  return (endpoint, posted, signal) => {
    const { delivery, event_id, traceparent } = posted;
    const about = {
      service: 'webhooks-dispatcher',
      traceparent,
      kind: SpanKind.CLIENT,
      attributes: { ...attributesOf(endpoint.url), ...(delivery !== undefined && { 'svc.delivery': delivery }), 'svc.event': event_id },
    };
    return inSpan('POST webhook', about, async (span) => {
      const headers = headersOf(endpoint, { ...posted, traceparent: currentTraceparent() ?? traceparent });
      const began = clock.now();
      const answered = withoutHeaders(
        await send({ account: endpoint.account, url: endpoint.url, headers, body: posted.body }, signal),
        endpoint,
      );
      answeredWith(span, answered.status);
      // The clock may have been set back meanwhile.
      const made = { answered, began, ended: Math.max(began, clock.now()) };
      if (answered.status !== null || !signal.aborted) count(made);
      return made;
    });
  };
}

function count({ answered, began, ended }: Made): void {
  seconds.observe((ended - began) / 1000);
  attempts.inc({ outcome: isSuccess(answered) ? 'succeeded' : answered.status === null ? 'no_answer' : 'refused' });
}

/** Of each ciphertext, with the endpoint that it is of: no other one can decrypt it. */
function remembering<V>(make: (endpoint: Endpoint, ciphertext: string) => V): (endpoint: Endpoint, ciphertext: string) => V {
  const known = recentlyUsed<{ of: string; value: V }>(REMEMBERED);
  return (endpoint, ciphertext) => {
    const before = known.get(ciphertext);
    if (before?.of === endpoint._id) return before.value;
    const value = make(endpoint, ciphertext);
    known.set(ciphertext, { of: endpoint._id, value });
    return value;
  };
}
