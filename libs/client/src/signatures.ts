import { createHmac, timingSafeEqual } from 'node:crypto';
import { headerOf, type WebhookHeaders } from './delivery.ts';
import { WebhookError } from './error.ts';

/** A delivery as its signatures see it. Times in seconds since 1970. */
export interface Signed {
  headers: WebhookHeaders;
  bytes: Uint8Array;
  secrets: readonly string[];
  now: number;
  toleranceSeconds: number;
}

/** Without a dot, so that no part of the body can be taken for another id and time. */
const ID = /^[A-Za-z0-9_-]{1,255}$/;
const TIMESTAMP = /^[0-9]{1,12}$/;
const STANDARD = /^v1,[A-Za-z0-9+/]{43}=$/;
const HEX = /^[0-9a-f]{64}$/;

/** Standard Webhooks: `v1,` and base64 of an HMAC over id, time and body. Several signatures are divided by blanks; one that fits suffices. */
export function checkStandard({ headers, bytes, secrets, now, toleranceSeconds }: Signed): void {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name)) as [
    string,
    string,
    string,
  ];
  if (!ID.test(id)) throw malformed('webhook-id', 'the id of an event');
  if (!TIMESTAMP.test(timestamp)) throw malformed('webhook-timestamp', 'a number of seconds since 1970');
  const given = signatures.split(' ').filter((one) => STANDARD.test(one));
  if (given.length === 0) throw malformed('webhook-signature', '`v1,` and 44 characters of base64, or several of these divided by blanks');
  checkTime(now - Number(timestamp), toleranceSeconds);
  const keys = secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
  const expected = keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64')}`);
  if (!hasEqual(expected, given)) throw wrong('webhook-signature');
}

/** The lower-case hex digest of an HMAC over the body alone. It has no time: a copy of the request is valid for ever. */
export function checkService({ headers, bytes, secrets }: Signed): void {
  const given = headerOf(headers, 'x-service-signature');
  if (!HEX.test(given)) throw malformed('x-service-signature', '64 digits of lower-case hex');
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest('hex'));
  if (!hasEqual(expected, [given])) throw wrong('x-service-signature');
}

function checkTime(age: number, tolerance: number): void {
  if (Math.abs(age) <= tolerance) return;
  const [code, when] = age < 0 ? (['timestamp_new', 'ahead of'] as const) : (['timestamp_old', 'behind'] as const);
  throw new WebhookError(
    code,
    `By its webhook-timestamp the delivery was sent at a time ${Math.round(Math.abs(age))} seconds ${when} this clock; ${tolerance} are allowed. It may be a copy that was ` +
      'sent again, which is to be refused. If all deliveries are refused so, set the clock of this server (NTP), and verify before anything queues the request.',
  );
}

/** Compares each with each, whatever was found before: the time says nothing about which fits, or up to where. */
function hasEqual(expected: readonly string[], given: readonly string[]): boolean {
  let found = false;
  for (const one of expected) for (const other of given) found = timingSafeEqual(Buffer.from(one), Buffer.from(other)) || found;
  return found;
}

const malformed = (name: string, form: string): WebhookError =>
  new WebhookError('header_malformed', `The header ${name} is not ${form}: it was changed on its way, or the service did not send it.`);

const wrong = (name: string): WebhookError =>
  new WebhookError(
    'signature_wrong',
    `No signature of ${name} fits the body: the service did not send this request, the body is not byte for byte as it came, or the secret is of another endpoint or was ` +
      'replaced. Answer 401. If all deliveries are refused so, compare the secret with the endpoint whose URL this is; after rotate-secret give both, the old one and the new one.',
  );
