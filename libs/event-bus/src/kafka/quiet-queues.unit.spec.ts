import { systemClock } from '@svc/kernel';
import { queue } from './client.ts';

describe('the request queue of a kafkajs connection', () => {
  const look = (state: object) => {
    const one = Object.assign(Object.create(queue) as typeof queue, {
      pending: [],
      throttledUntil: -1,
      throttleCheckTimeoutId: null,
      canSendSocketRequestImmediately: () => false,
      ...state,
    });
    one.checkPendingRequests();
    const isLookingAgain = one.throttleCheckTimeoutId !== null;
    clearTimeout(one.throttleCheckTimeoutId ?? undefined);
    return isLookingAgain;
  };

  test.each([
    ['does not look again when nothing waits', {}, false],
    ['looks again when a request waits', { pending: [{}] }, true],
    ['looks again when the broker has asked to wait', { throttledUntil: systemClock.now() + 60_000 }, true],
  ])('%s', (_, state, isLookingAgain) => {
    expect(look(state)).toBe(isLookingAgain);
  });
});
