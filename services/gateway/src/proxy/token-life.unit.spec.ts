import { FakeClock } from '@svc/kernel';
import { createIdentityReader, createIdentitySigner, internalKeys, type Identity } from '@svc/service';
import { TIMEOUTS } from './deadlines.ts';

const SKEW_MS = 5_000;

test('as long as the gateway waits for an answer its token is valid, also where the clock of the service is ahead', async () => {
  const keys = internalKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
  const identity: Identity = {
    ...{ account: 'acct_1', env: 'test', livemode: false, permissions: ['*'], actor: { type: 'api_key', id: 'key_1' } },
    ...{ requestId: 'req_1', commandId: '01kvc3v1m7e0v8k3v1m7e0v8k3' },
  };
  const clock = new FakeClock(Date.UTC(2026, 0, 15) + 999); // the token's expiry is in whole seconds
  const token = createIdentitySigner(keys, clock)(identity, 'invoicing');
  await clock.advance(TIMEOUTS.connect + TIMEOUTS.answer + SKEW_MS);
  expect(createIdentityReader(keys, 'invoicing', clock)(token)).toEqual({ kind: 'valid', identity });
});
