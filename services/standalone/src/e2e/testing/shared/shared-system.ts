import { startReceiver, startSystem, type System } from '@svc/testkit';

export const OPS_TOKEN = 'operators-token-of-thirty-two-characters';

/** A running system and a subscriber that it may call. Every suite opens accounts of its own. */
export interface Shared {
  system: System;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
}

/** Starts both before the tests of the file, and ends them after. */
export function shareSystem(): () => Shared {
  let shared: Shared;
  beforeAll(async () => {
    const receiver = await startReceiver();
    const system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, OPS_TOKEN, REQUIRE_HTTPS: 'true', LOG_LEVEL: 'info' });
    shared = { system, receiver };
  });
  afterAll(async () => {
    await shared?.system.stop();
    await shared?.receiver.close();
  });
  return () => shared;
}
