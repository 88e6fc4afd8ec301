import { startReceiver, startSystem, type System } from '@svc/testkit';

export const OPS_TOKEN = 'operators-token-of-thirty-two-characters';

/** A running system and a subscriber that it may call. Every suite opens accounts of its own. */
export interface Shared {
  system: System;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
}

/** Starts both before the tests of the file, and ends them after. */
export function shareSystem(): () => Shared {
  const shared: Partial<Shared> = {};
  beforeAll(async () => {
    shared.receiver = await startReceiver();
    shared.system = await startSystem({ WEBHOOKS_ALLOW: shared.receiver.origin, OPS_TOKEN, REQUIRE_HTTPS: 'true', LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await shared.system?.stop();
    await shared.receiver?.close();
  });
  return () => shared as Shared;
}
