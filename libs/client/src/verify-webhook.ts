import { bytesOf, type WebhookDelivery } from './delivery.ts';
import { WebhookError } from './error.ts';
import type { WebhookEvent } from './event.ts';
import { secretsOf } from './secrets.ts';
import { checkService, checkStandard } from './signatures.ts';

export interface VerifyOptions {
  /**
   * The header that is verified. `webhook-signature` (Standard Webhooks) has a time, so that a copy cannot be sent again later. `x-service-signature` is for where
   * the headers that begin with `webhook-` are not at hand; it is made with the old secret while a rotation has its grace.
   */
  signature?: 'webhook-signature' | 'x-service-signature';
  /** Seconds by which `webhook-timestamp` and the clock may differ; 300 by default. */
  toleranceSeconds?: number;
  /** The present time; by default that of the clock. */
  now?: Date;
}

/** Standard Webhooks: five minutes. */
const TOLERANCE_S = 300;

const checks = { 'webhook-signature': checkStandard, 'x-service-signature': checkService } as const;

/**
 * The event of a delivery whose signature fits. Answer 2xx at once, and work on it afterwards.
 * @param delivery the request: `headers`, and the raw `body`
 * @param secrets of the endpoint, whole (`whsec_…`); during a rotation the old one and the new one
 * @throws WebhookError where it must not be worked on, with a code, and a message that says why and what to do
 */
export function verifyWebhook(
  { headers, body }: WebhookDelivery,
  secrets: string | readonly string[],
  { signature = 'webhook-signature', toleranceSeconds = TOLERANCE_S, now = new Date() }: VerifyOptions = {},
): WebhookEvent {
  const bytes = bytesOf(body);
  checks[signature]({ headers, bytes, secrets: secretsOf(secrets), now: now.getTime() / 1000, toleranceSeconds });
  return eventIn(bytes);
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  const event = parsed(bytes) as Partial<WebhookEvent> | null;
  if (typeof event === 'object' && event?.object === 'event' && typeof event.id === 'string' && typeof event.type === 'string')
    return event as WebhookEvent;
  throw new WebhookError(
    'body_malformed',
    'The signature fits, but the body is not an event. Nothing of this API sends such a request with this secret.',
  );
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
