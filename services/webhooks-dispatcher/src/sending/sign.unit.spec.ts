import { createHmac } from 'node:crypto';
import { keysOf, newSecret, signatureHeaders } from './sign.ts';

test('both signatures match the secret over the raw bytes', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const body = Buffer.from('{"name":"Ünïcødé 😀"}');
  const headers = signatureHeaders([keysOf(secret)], 'evt_1', 1_700_000_000, body);
  expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  const key = Buffer.from(secret.slice(6), 'base64');
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update('evt_1.1700000000.').update(body).digest('base64')}`);
  expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual(['evt_1', '1700000000']);
});

test('while several secrets sign, the oldest makes the contract’s signature, and the standard one lists all', () => {
  const [old, fresh] = [keysOf(newSecret()), keysOf(newSecret())];
  const of = (keys: Parameters<typeof signatureHeaders>[0]) => signatureHeaders(keys, 'evt_1', 1_700_000_000, Buffer.from('{}'));
  expect(of([old, fresh])).toEqual({
    ...of([old]),
    'webhook-signature': `${of([old])['webhook-signature']} ${of([fresh])['webhook-signature']}`,
  });
});
