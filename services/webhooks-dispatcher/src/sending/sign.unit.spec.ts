import { verifyWebhook, type WebhookDelivery } from '@svc/client';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { keysOf, newSecret, type SigningKeys, signatureHeaders } from './sign.ts';

const NOW = 1_780_000_000;
const now = new Date(NOW * 1000);
const event = { id: 'evt_1', object: 'event', type: 'customer.updated', data: { name: 'Ünïcødé 😀' } };
const body = Buffer.from(JSON.stringify(event, null, 1));
const headersBy = (...secrets: string[]): Record<string, string> => signatureHeaders(secrets.map(keysOf), 'evt_1', NOW, body);
const delivery = (...secrets: string[]): WebhookDelivery => ({ headers: headersBy(...secrets), body });
const schemes = ['webhook-signature', 'x-service-signature'] as const;

beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

test('a secret is whsec_ and base64 of 32 bytes', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test.each(schemes)('%s is genuine by its secret, and by no other', (signature) => {
  const secret = newSecret();
  expect(verifyWebhook(delivery(secret), secret, { signature })).toEqual(event);
  expect(() => verifyWebhook(delivery(secret), newSecret(), { signature })).toThrow(expect.objectContaining({ code: 'signature_wrong' }));
});

test('while several secrets sign, the oldest makes the contract’s signature, and the standard one lists all', () => {
  const [old, fresh, later] = [newSecret(), newSecret(), newSecret()];
  const both = delivery(old, fresh, later);
  for (const secret of [old, fresh, later]) expect(verifyWebhook(both, secret).id).toBe('evt_1');
  expect(verifyWebhook(both, old, { signature: 'x-service-signature' }).id).toBe('evt_1');
  for (const secret of [fresh, later])
    expect(() => verifyWebhook(both, secret, { signature: 'x-service-signature' })).toThrow(
      expect.objectContaining({ code: 'signature_wrong' }),
    );
});

describe.each(Object.entries({ standardwebhooks: Standard, svix: Svix }))('the public verifier %s', (_, Webhook) => {
  test('takes what is signed here, by each secret while several sign, and nothing by another', () => {
    const [old, fresh] = [newSecret(), newSecret()];
    const verifiedBy = (secret: string) => () => new Webhook(secret).verify(body.toString(), headersBy(old, fresh));
    for (const secret of [old, fresh]) expect(verifiedBy(secret)).not.toThrow();
    expect(verifiedBy(newSecret())).toThrow('signature');
  });
});

test('nothing is signed without a secret', () => {
  expect(() => signatureHeaders([] as SigningKeys[], 'evt_1', NOW, body)).toThrow(RangeError);
});
