import { webhookVectors, type WebhookVector } from '@svc/contracts/testing/webhook-vectors';
import { verifyWebhook, WebhookError, type WebhookEvent } from './index.ts';

const schemes = ['webhook-signature', 'x-service-signature'] as const;
const bodyOf = ({ body_base64 }: WebhookVector): Buffer => Buffer.from(body_base64, 'base64');
const verify = (vector: WebhookVector, signature: (typeof schemes)[number]): WebhookEvent =>
  verifyWebhook({ headers: vector.headers, body: bodyOf(vector) }, vector.secrets, { signature, now: new Date(vector.now * 1000) });

/** The code of its refusal. */
function codeOf(verified: () => unknown): string {
  try {
    verified();
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
  return 'genuine';
}

test('there are vectors of every outcome', () => {
  const codes = new Set(webhookVectors.flatMap(({ outcomes }) => Object.values(outcomes)));
  expect([...codes].sort()).toEqual(
    ['genuine', 'header_malformed', 'header_missing', 'signature_wrong', 'timestamp_new', 'timestamp_old'].sort(),
  );
  expect(webhookVectors.length).toBeGreaterThan(50);
});

describe.each(schemes)('by %s', (signature) => {
  test.each(webhookVectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const outcome = vector.outcomes[signature];
    if (outcome === 'genuine' && vector.event !== null) expect(verify(vector, signature).id).toBe(vector.event);
    else expect(codeOf(() => verify(vector, signature))).toBe(outcome === 'genuine' ? 'body_malformed' : outcome);
  });
});

const [vector] = webhookVectors as [WebhookVector];
const now = new Date(vector.now * 1000);
const [secret] = vector.secrets as [string];
const { headers } = vector;
const body = bodyOf(vector);

test('the body may be bytes of any kind, or its text', () => {
  const buffer = new Uint8Array(body).buffer;
  const within = new Uint8Array([0, ...body, 0]).subarray(1, -1);
  for (const raw of [body, buffer, within, new DataView(buffer), body.toString()] as Uint8Array[])
    expect(verifyWebhook({ headers, body: raw }, secret, { now })).toMatchObject({
      object: 'event',
      type: 'customer.updated',
      sequence: 3,
    });
});

test('the headers may be those of a Fetch request, or of Node', () => {
  expect(verifyWebhook({ headers: new Headers(headers), body }, secret, { now }).id).toBe(vector.event);
  const several = { ...headers, 'webhook-id': ['evt_1', 'evt_2'] };
  expect(codeOf(() => verifyWebhook({ headers: several, body }, secret, { now }))).toBe('header_malformed');
  for (const none of [undefined, null])
    expect(codeOf(() => verifyWebhook({ headers: none as never, body }, secret, { now }))).toBe('header_missing');
});

test.each([
  ['an object', JSON.parse(body.toString()), /parsed object.*express\.raw.*rawBody.*parseAs.*arrayBuffer/],
  ['an array', [1], /parsed array/],
  ['nothing', undefined, /missing/],
  ['a promise', Promise.resolve(body), /awaited/],
])('a body that is %s is refused, with a message that says how to get the bytes', (_, parsed, words) => {
  expect(() => verifyWebhook({ headers, body: parsed as never }, secret, { now })).toThrow(
    expect.objectContaining({ code: 'body_parsed', message: expect.stringMatching(words) }),
  );
});

test.each([
  ['', /empty/],
  [[], /no secret/],
  [undefined, /no secret/],
  [[secret, ''], /empty/],
  [`${secret}\n`, /line break/],
  [secret.slice('whsec_'.length), /whsec_/],
  ['svc_test_abc', /API key/],
  [secret.slice(0, -3), /base64/],
])('the secrets %j are refused, in words without them', (given, words) => {
  const verified = () => verifyWebhook({ headers, body }, given as string, { now });
  expect(verified).toThrow(expect.objectContaining({ code: 'secret_malformed', message: expect.stringMatching(words) }));
  if (typeof given === 'string' && given.length > 12) expect(verified).not.toThrow(given.slice(6).trim());
});

test('no message has the secret, the signature that would fit, or anything of the body', () => {
  for (const one of webhookVectors)
    for (const signature of schemes)
      try {
        verify(one, signature);
      } catch (error) {
        const { message } = error as Error;
        for (const part of [
          ...one.secrets,
          ...one.secrets.map((text) => text.slice(6)),
          'Door',
          ...Object.values(one.headers).filter((text) => text.length > 12),
        ])
          expect(message).not.toContain(part);
      }
});

test('an id with a dot is refused: a part of a body could be taken for another delivery', () => {
  expect(codeOf(() => verifyWebhook({ headers: { ...headers, 'webhook-id': 'evt_1.1780000000' }, body }, secret, { now }))).toBe(
    'header_malformed',
  );
});

test('a tolerance or a time that is no number accepts nothing', () => {
  expect(codeOf(() => verifyWebhook({ headers, body }, secret, { now, toleranceSeconds: Number.NaN }))).not.toBe('genuine');
  expect(codeOf(() => verifyWebhook({ headers, body }, secret, { now: new Date(Number.NaN) }))).not.toBe('genuine');
  const late = new Date(now.getTime() + 600_000);
  expect(codeOf(() => verifyWebhook({ headers, body }, secret, { now: late, toleranceSeconds: 600 }))).toBe('genuine');
});

test('without options the time is that of the clock', () => {
  expect(codeOf(() => verifyWebhook({ headers, body }, secret))).toMatch(/^timestamp_/);
});

test('the data of an event are typed by its type', () => {
  const nameOf = (event: WebhookEvent): string | null => {
    switch (event.type) {
      case 'customer.created':
      case 'customer.updated':
      case 'customer.deleted':
        return event.data.name;
      case 'receipt.created':
      case 'receipt.voided':
        return event.data.number;
      default:
        return event.data.fiscal_code;
    }
  };
  expect(nameOf(verifyWebhook({ headers, body }, secret, { now }))).toBe('Blue Door Books');
});
