import { startReceiver, startSystem, type System } from '@svc/testkit';

export const OPS_TOKEN = 'operators-token-of-thirty-two-characters';

/** A running system and a subscriber that it may call. Every suite opens accounts of its own. */
export interface Shared {
  system: System;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
}

/** Starts both before the tests of the file, and ends them after. */
export function shareSystem(): () => Shared {
  let receiver: Shared['receiver'];
  let system: System;
  beforeAll(async () => {
    receiver = await startReceiver();
    system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, OPS_TOKEN, REQUIRE_HTTPS: 'true', LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });
  return () => ({ system, receiver });
}
