import {
  after,
  cancel,
  cancelled,
  deferred,
  done,
  end,
  foreign,
  inDoubt,
  next,
  open,
  registered,
  rejected,
  resolve,
  start,
  then,
  tried,
  types,
  unknown,
} from './testing/commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { State } from './state.ts';

const inReview = [open(), ...tried('submit', 1, foreign)];

describe.each([
  ['unknown', inDoubt],
  ['needs_review', inReview],
])('a submission that is %s', (status, before) => {
  test('is registered with the code that a person found, and needs no more calls', () => {
    expect(after(...before).status).toBe(status);
    const events = then(after(...before), resolve('registered'));
    expect(types(events)).toEqual(['DoubtResolved', 'SubmissionRegistered']);
    const state = after(...before, resolve('registered'));
    expect(state).toMatchObject({ status: 'registered', registration: { code: 'BY-HAND', issuer_code: 'IC', late: false, warnings: [] } });
    expect(next(state)).toBeNull();
  });

  test('is rejected where the authority does not know it, says how that was found out, and can be submitted again', () => {
    const state = after(...before, resolve('not_registered'));
    expect(state).toMatchObject({
      status: 'rejected',
      error: { code: 'not_registered', message: 'the portal does not know it', fixable: 'data' },
    });
    expect(decide(open(2), state).reduce(evolve, state)).toMatchObject({ status: 'pending', round: 2 });
  });

  test('is resolved once', () => {
    for (const outcome of ['registered', 'not_registered'] as const)
      expect(() => then(after(...before, resolve(outcome)), resolve('registered'))).toThrow('Resolution is not possible');
  });

  test('is cancelled after it, where that was asked for before', () => {
    const state = after(...before, cancel(1), resolve('registered'));
    expect(next(state)).toEqual({ do: 'call', kind: 'cancel' });
    expect(after(...before, cancel(1), resolve('registered'), ...tried('cancel', 2, cancelled)).status).toBe('cancelled');
  });
});

test.each<[string, State, string]>([
  ['not sent yet', after(open()), 'submitting'],
  ['put off by the authority', after(open(), ...tried('submit', 1, deferred)), 'submitting'],
  ['registered', after(...done), 'submitted'],
  ['rejected', after(open(), ...tried('submit', 1, rejected)), 'failed'],
  ['being cancelled', after(...done, cancel(1)), 'voiding'],
  ['cancelled', after(...done, cancel(1), ...tried('cancel', 2, cancelled)), 'voided'],
])('what is %s is not in doubt: the status of the document is named', (_, state, status) => {
  expect(() => then(state, resolve('registered'))).toThrow(`while the status is ${status}`);
});

test.each([
  ['failed', 'update, submit, void', 'invoice', 'setup'],
  ['issued', 'void', 'receipt', 'data'],
  ['issued', 'resubmit, void', 'receipt', 'credentials'],
] as const)('the refusal for a rejected document that is %s names %s (%s, %s)', (status, actions, kind, fixable) => {
  const error = { code: 'E1', message: 'm', fixable };
  const state = { ...after(open(), ...tried('submit', 1, { kind: 'rejected', error })), kind } as State;
  expect(() => then(state, resolve('registered'))).toThrow(`while the status is ${status}. available_actions: ${actions}.`);
});

describe('an answer that comes after it', () => {
  const calling = [...inDoubt, start('query')];

  test.each(['registered', 'not_registered'] as const)('%s: is kept with its attempt, and the outcome stays', (outcome) => {
    const before = after(...calling, resolve(outcome));
    const events = then(before, end(2, registered, { kind: 'query' }));
    expect(types(events)).toEqual(['AttemptEnded']);
    const state = events.reduce(evolve, before);
    expect(state).toMatchObject({ status: before.status, attempts: [{ n: 1 }, { n: 2, ended: { verdict: 'registered' } }] });
    expect(then(state, end(2, unknown))).toEqual([]);
  });

  test('does not end an attempt of the next round', () => {
    const before = after(...calling, resolve('not_registered'), open(2), start('submit', 2));
    const state = then(before, end(2, unknown, { kind: 'query' })).reduce(evolve, before);
    expect(state).toMatchObject({
      status: 'pending',
      open: 3,
      failures: 0,
      attempts: [{}, { ended: { verdict: 'unknown' } }, { ended: null }],
    });
  });
});
