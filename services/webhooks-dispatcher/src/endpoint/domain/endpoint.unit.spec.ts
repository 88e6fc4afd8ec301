import { iso } from '@svc/kernel';
import {
  afterFailure,
  afterSuccess,
  type Change,
  checkReceives,
  disabled,
  disabledAfter,
  enabled,
  type EndpointState,
  type Failure,
  HOUR_MS,
  listensTo,
  mayReceive,
  rotated,
  signingSecrets,
} from './endpoint.ts';

const T0 = Date.UTC(2026, 0, 15, 12);
const fresh: EndpointState = { status: 'enabled', events: ['*'], disabled_reason: null, deleted: false, secret: 'a' };
const failing: EndpointState = { ...fresh, failing_since: iso(T0), failure: 'it answered 500' };
const off: EndpointState = { ...failing, status: 'disabled', disabled_reason: 'because' };
const failure = (more: Partial<Failure> = {}): Failure => ({ at: T0, error: 'it answered 503', isGone: false, ...more });

test('an endpoint receives while it is enabled and exists', () => {
  expect([fresh, failing, off, { ...fresh, deleted: true }].map(mayReceive)).toEqual([true, true, false, false]);
});

test('what needs one that receives is refused in words that say what to do', () => {
  expect(() => checkReceives(failing)).not.toThrow();
  for (const [one, words] of [
    [off, 'enable it first'],
    [{ ...off, deleted: true }, 'is deleted'],
  ] as const)
    expect(() => checkReceives(one)).toThrow(expect.objectContaining({ code: 'invalid_state', message: expect.stringContaining(words) }));
});

test('it listens to the types that it names, or to all', () => {
  expect(listensTo(fresh, 'invoice.voided')).toBe(true);
  expect(listensTo({ events: ['invoice.created', 'invoice.voided'] }, 'invoice.voided')).toBe(true);
  expect(listensTo({ events: ['invoice.created'] }, 'invoice.voided')).toBe(false);
});

test.each<[string, EndpointState, (endpoint: EndpointState) => Change | undefined, Change | undefined]>([
  ['disabled', fresh, (one) => disabled(one, 'why'), { status: 'disabled', disabled_reason: 'why' }],
  ['disabled again: the first reason stays', off, (one) => disabled(one, 'why'), undefined],
  ['enabled', off, enabled, { status: 'enabled', disabled_reason: null, failing_since: null, failure: null }],
  [
    'enabled while it fails: it is ok again',
    failing,
    enabled,
    { status: 'enabled', disabled_reason: null, failing_since: null, failure: null },
  ],
  ['enabled while it is enabled', fresh, enabled, undefined],
  ['a success', fresh, (one) => afterSuccess(one, T0), undefined],
  ['a success after failures', failing, (one) => afterSuccess(one, T0), { failing_since: null, failure: null }],
  ['a success before the first failure', failing, (one) => afterSuccess(one, T0 - 1), undefined],
  ['the first failure', fresh, (one) => afterFailure(one, failure()), { failing_since: iso(T0), failure: 'it answered 503' }],
  ['a further failure within 120 hours', failing, (one) => afterFailure(one, failure({ at: T0 + 120 * HOUR_MS - 1 })), undefined],
  ['a failure that ends after the disabling', off, (one) => afterFailure(one, failure({ at: T0 + 121 * HOUR_MS })), undefined],
  ['a failure of a deleted one', { ...failing, deleted: true }, (one) => afterFailure(one, failure({ isGone: true })), undefined],
])('%s', (_what, before, decide, change) => {
  expect(decide(before)).toEqual(change);
});

test('a failure 120 hours after the first one disables it, in words with both times and the last error', () => {
  const at = T0 + 120 * HOUR_MS;
  const change = afterFailure(failing, failure({ at }));
  expect(change).toEqual({ status: 'disabled', disabled_reason: expect.any(String) });
  for (const part of ['120 hours', iso(T0), iso(at), 'it answered 503']) expect(change?.disabled_reason).toContain(part);
  expect(disabledAfter(iso(T0))).toBe(iso(at));
});

test.each([
  [0, { failing_since: iso(T0 + 120 * HOUR_MS), failure: 'it answered 503' }],
  [-1, { status: 'disabled', disabled_reason: expect.any(String) }],
])('a failure after 120 hours, and an attempt that has succeeded %i ms after the first one', (after, change) => {
  expect(afterFailure(failing, failure({ at: T0 + 120 * HOUR_MS, succeeded: T0 + after }))).toEqual(change);
});

test('a delivery that ends by a 410 disables it, also at its first failure', () => {
  expect(afterFailure(fresh, failure({ isGone: true }))).toMatchObject({
    status: 'disabled',
    disabled_reason: expect.stringContaining('410'),
    failing_since: iso(T0),
  });
});

describe('rotation', () => {
  const rotate = (endpoint: EndpointState, secret: string, now: number, graceSeconds: number): EndpointState => ({
    ...endpoint,
    ...rotated(endpoint, secret, { now, graceSeconds }),
  });

  test('both secrets sign until the end of the grace, the old one first; then the new one alone', () => {
    const endpoint = rotate(fresh, 'b', T0, 60);
    expect(signingSecrets(endpoint, T0)).toEqual(['a', 'b']);
    expect(signingSecrets(endpoint, T0 + 59_999)).toEqual(['a', 'b']);
    expect(signingSecrets(endpoint, T0 + 60_000)).toEqual(['b']);
  });

  test('a further rotation leaves earlier ones their time, and without grace ends all of them', () => {
    const twice = rotate(rotate(fresh, 'b', T0, 60), 'c', T0 + 30_000, 60);
    expect(signingSecrets(twice, T0 + 30_000)).toEqual(['a', 'b', 'c']);
    expect(signingSecrets(twice, T0 + 60_000)).toEqual(['b', 'c']);
    expect(signingSecrets(rotate(twice, 'd', T0 + 31_000, 0), T0 + 31_000)).toEqual(['d']);
  });

  describe('while four replaced secrets sign', () => {
    /** By new secret: the grace of the one that it replaces. */
    const graces = { b: 3_600, c: 60, d: 300, e: 600 };
    const full = Object.entries(graces).reduce((endpoint, [secret, grace]) => rotate(endpoint, secret, T0, grace), fresh);

    test('each of them has its whole grace', () => {
      expect(signingSecrets(full, T0)).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(signingSecrets(full, T0 + 599_999)).toEqual(['a', 'd', 'e']);
    });

    test('a further rotation is refused, in words that say until when, and what ends them now', () => {
      expect(() => rotate(full, 'f', T0 + 59_999, 60)).toThrow(
        expect.objectContaining({ code: 'invalid_state', message: expect.stringMatching(`${iso(T0 + 60_000)}.*grace_period_seconds: 0`) }),
      );
    });

    test('it is possible from the end of the first one on, which is not kept', () => {
      const after = rotate(full, 'f', T0 + 60_000, 60);
      expect(signingSecrets(after, T0 + 60_000)).toEqual(['a', 'c', 'd', 'e', 'f']);
      expect(after.old_secrets).toHaveLength(4);
      expect(() => rotate(after, 'g', T0 + 60_000, 60)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
    });

    test('one without grace ends all of them', () => {
      expect(signingSecrets(rotate(full, 'f', T0, 0), T0)).toEqual(['f']);
    });
  });
});
