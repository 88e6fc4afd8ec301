import {
  absent,
  after,
  AT,
  cancel,
  cancelled,
  deferred,
  done,
  end,
  foreign,
  inDoubt,
  LATER,
  next,
  open,
  refused,
  registered,
  rejected,
  start,
  then,
  tried,
  types,
  unknown,
} from './testing/commands.ts';
import type { Command } from './decide.ts';
import { isPutOff } from './end-attempt.ts';
import { evolve } from './evolve.ts';
import type { AttemptKind, Fixable, Result } from './facts.ts';
import { initialState, isCalling, type State } from './state.ts';

describe('opening', () => {
  test('prepares the record in the same append, and asks for a call', () => {
    expect(types(then(initialState, open()))).toEqual(['SubmissionOpened', 'RecordPrepared']);
    expect(after(open()).status).toBe('pending');
    expect(next(after(open()))).toEqual({ do: 'call', kind: 'submit' });
  });

  test.each<[string, State]>([
    ['pending', after(open())],
    ['unknown', after(...inDoubt)],
    ['needs_review', after(open(), ...tried('submit', 1, foreign))],
    ['registered', after(...done)],
    ['cancelled', after(...done, cancel(1), ...tried('cancel', 2, cancelled))],
  ])('ignores the same and the next round while it is %s', (status, state) => {
    expect(state.status).toBe(status);
    expect(then(state, open(1))).toEqual([]);
    expect(then(state, open(2))).toEqual([]);
  });

  test('prepares a new record for the next round after a rejection, and continues counting attempts', () => {
    const state = after(open(), ...tried('submit', 1, rejected));
    expect(then(state, open(1))).toEqual([]);
    const second = [open(2), start('submit', 2)].reduce((from, command) => then(from, command).reduce(evolve, from), state);
    expect(second).toMatchObject({ status: 'pending', round: 2, open: 2, attemptCount: 2 });
  });
});

describe('attempts', () => {
  test('start one at a time, for the current round', () => {
    const started = after(open(), start('submit'));
    expect(then(started, start('submit'))).toEqual([]);
    const ended = after(open(), ...tried('submit', 1, deferred));
    const judgedBefore = { ...start('submit'), n: 1 } as Command;
    expect(then(ended, judgedBefore)).toEqual([]);
    expect(then(after(open()), start('submit', 2))).toEqual([]);
    expect(then(after(open()), start('query'))).toEqual([]);
    expect(then(after(open()), start('cancel'))).toEqual([]);
    expect(then(after(...done), start('submit'))).toEqual([]);
  });

  test('end once, whatever a later command says', () => {
    const state = after(...inDoubt);
    expect(then(state, end(1, registered))).toEqual([]);
    expect(then(after(...done), end(1, rejected))).toEqual([]);
  });

  test('leave a doubt when their process died', () => {
    const state = after(open(), start('submit'));
    expect(next(state)).toEqual({ do: 'give_up_attempt', n: 1 });
    const given = after(open(), start('submit'), end(1, unknown));
    expect(given.status).toBe('unknown');
    expect(next(given)).toEqual({ do: 'call', kind: 'query' });
  });

  test('registered: stores the code with all published fields', () => {
    const [ended, outcome] = then(after(open(), start('submit')), end(1, registered));
    expect(ended).toMatchObject({ type: 'AttemptEnded', data: { verdict: 'registered', delayed: null } });
    expect(outcome).toEqual({
      type: 'SubmissionRegistered',
      data: {
        document_id: 'inv_1',
        kind: 'invoice',
        round: 1,
        authority: 'sandbox',
        code: 'FIC',
        issuer_code: 'IC',
        registered_at: LATER,
        verification_url: 'http://check',
        late: false,
        warnings: [],
        attempts: 1,
        last_attempt_at: AT,
        at: LATER,
      },
    });
    expect(next(after(...done))).toBeNull();
  });

  test('registered after the legal limit: late', () => {
    const late: Result = { kind: 'registered', code: 'FIC', registered_at: '2026-03-04T00:00:00.000Z', warnings: [] };
    expect(then(after(open(), start('submit')), end(1, late))[1]).toMatchObject({ data: { late: true } });
  });

  test('deferred: stays pending and is tried again', () => {
    const state = after(open(), ...tried('submit', 1, deferred));
    expect(state).toMatchObject({ status: 'pending', failures: 1 });
    expect(next(state)).toEqual({ do: 'call', kind: 'submit' });
  });

  test('unknown: publishes one delay, however long it lasts', () => {
    expect(then(after(open(), start('submit')), end(1, unknown))[0]).toMatchObject({
      data: { delayed: { document_id: 'inv_1', round: 1 } },
    });
    const again = after(...inDoubt, ...tried('query', 2, absent), start('submit'));
    expect(then(again, end(3, unknown))[0]).toMatchObject({ data: { delayed: null } });
  });

  test('in doubt: queries the authority first, and sends again what it does not know', () => {
    expect(next(after(...inDoubt))).toEqual({ do: 'call', kind: 'query' });
    expect(next(after(...inDoubt, ...tried('query', 2, unknown)))).toEqual({ do: 'call', kind: 'query' });
    const gone = [...inDoubt, ...tried('query', 2, absent)];
    expect(next(after(...gone))).toEqual({ do: 'call', kind: 'submit' });
    expect(next(after(...gone, ...tried('submit', 3, deferred)))).toEqual({ do: 'call', kind: 'submit' });
    expect(next(after(...gone, ...tried('submit', 3, unknown)))).toEqual({ do: 'call', kind: 'query' });
  });

  test('in doubt without a query: sends the same record again', () => {
    expect(next(after(...inDoubt), false)).toEqual({ do: 'call', kind: 'submit' });
  });

  test('in doubt: stays in doubt without a response, and takes a certain rejection', () => {
    const state = after(...inDoubt, ...tried('query', 2, absent), ...tried('submit', 3, rejected));
    expect(state).toMatchObject({ status: 'rejected', error: { code: 'E1' }, attemptCount: 3 });
  });

  describe('a rejection', () => {
    const no = (fixable: Fixable): Result => ({ kind: 'rejected', error: { code: 'E1', message: 'm', fixable } });
    const notThere = [...inDoubt, ...tried('query', 2, absent)];
    const query = { do: 'call', kind: 'query' };
    const submit = { do: 'call', kind: 'submit' };

    test.each<[string, Command[], AttemptKind, boolean, Fixable, string, object | null]>([
      ['without a doubt', [open()], 'submit', true, 'data', 'rejected', null],
      ['without a doubt', [open()], 'submit', true, 'credentials', 'rejected', null],
      ['without a doubt', [open()], 'submit', true, 'setup', 'rejected', null],
      ['without a doubt', [open()], 'submit', false, 'data', 'rejected', null],
      ['without a doubt', [open()], 'submit', false, 'credentials', 'rejected', null],
      ['without a doubt', [open()], 'submit', false, 'setup', 'rejected', null],
      ['after a doubt', inDoubt, 'query', true, 'data', 'unknown', query],
      ['after a doubt', inDoubt, 'query', true, 'credentials', 'unknown', query],
      ['after a doubt', inDoubt, 'query', true, 'setup', 'unknown', query],
      ['after a doubt', inDoubt, 'submit', true, 'data', 'unknown', query],
      ['after a doubt', inDoubt, 'submit', false, 'data', 'needs_review', null],
      ['after a doubt', inDoubt, 'submit', false, 'credentials', 'unknown', submit],
      ['after a doubt', inDoubt, 'submit', false, 'setup', 'unknown', submit],
      ['once the authority did not know it', notThere, 'submit', true, 'data', 'rejected', null],
      ['once the authority did not know it', notThere, 'submit', true, 'credentials', 'unknown', query],
      ['once the authority did not know it', notThere, 'submit', true, 'setup', 'unknown', query],
    ])('%s (%#) of a %j call, query %s, of %s: %s', (_when, given, kind, canQuery, fixable, status, step) => {
      const state = after(...given, ...tried(kind, (given.length + 1) / 2, no(fixable), canQuery));
      expect(state.status).toBe(status);
      expect(next(state, canQuery)).toEqual(step);
    });

    test('that leaves the doubt is retried after growing waits', () => {
      const later = { kind: 'query' as const, next_attempt_at: LATER };
      const state = after(...inDoubt, start('query'), end(2, no('setup'), later), start('query'), end(3, no('setup'), later));
      expect(state).toMatchObject({ status: 'unknown', failures: 3 });
    });

    test.each<[string, Command[], AttemptKind, Result, boolean]>([
      ['an outcome', [open()], 'submit', no('data'), false],
      ['a certain absence', inDoubt, 'query', absent, false],
      ['silence', inDoubt, 'query', unknown, true],
      ['a rejected query', inDoubt, 'query', no('credentials'), true],
      ['a send rejected for our credentials', notThere, 'submit', no('credentials'), true],
      ['a refused cancellation that may have happened', [...done, cancel(5), ...tried('cancel', 2, unknown)], 'cancel', refused, false],
    ])('%s: waits before the next call: %#', (_what, given, kind, result, waits) => {
      const state = after(...given);
      if (!isCalling(state)) throw new Error(state.status);
      const { do: _do, ...ended } = end(state.attemptCount + 1, result, { kind }) as Extract<Command, { do: 'end_attempt' }>;
      expect(isPutOff(ended, state)).toBe(waits);
    });
  });

  test('another record under the number: needs review, and makes no further step', () => {
    const state = after(open(), ...tried('submit', 1, foreign));
    expect(state).toMatchObject({ status: 'needs_review', error: { code: 'duplicate_foreign' } });
    expect(next(state)).toBeNull();
  });
});

describe('the deadline of the authority', () => {
  const day = '2026-03-02T00:00:00.000Z';
  const past = '2026-03-02T00:00:00.001Z';
  const expire: Command = { do: 'expire', at: past, absence: null };

  test('passed before a send: rejected', () => {
    const state = after(open(1, day), ...tried('submit', 1, deferred));
    expect(next(state, true, day)).toEqual({ do: 'call', kind: 'submit' });
    expect(next(state, true, past)).toEqual({ do: 'expire' });
    expect(then(state, { do: 'expire', at: day, absence: null })).toEqual([]);
    expect(then(state, expire)).toMatchObject([{ type: 'SubmissionRejected', data: { error: { code: 'deadline_passed' } } }]);
  });

  test('passed in doubt: queried further, and needs review without a query', () => {
    const state = after(open(1, day), ...tried('submit', 1, unknown));
    expect(next(state, true, past)).toEqual({ do: 'call', kind: 'query' });
    expect(next(state, false, past)).toEqual({ do: 'expire' });
    expect(types(then(state, expire))).toEqual(['ReviewRequired']);
    const absentSince = after(open(1, day), ...tried('submit', 1, unknown), ...tried('query', 2, absent));
    expect(types(then(absentSince, expire))).toEqual(['SubmissionRejected']);
  });
});

describe('a submission that the authority would certainly reject', () => {
  const refuse: Command = { do: 'refuse', error: { code: 'no_tax_id', message: 'm', fixable: 'setup' }, at: AT };
  test('is rejected while nothing was sent, not afterwards', () => {
    expect(types(then(after(open()), refuse))).toEqual(['SubmissionRejected']);
    expect(then(after(...inDoubt), refuse)).toEqual([]);
    expect(then(after(open(), start('submit')), refuse)).toEqual([]);
  });
});

describe('cancellation', () => {
  test('of an unsubmitted document throws not_found', () => {
    expect(() => then(initialState, cancel(1))).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('of a registration makes a call', () => {
    const state = after(...done, cancel(5));
    expect(next(state)).toEqual({ do: 'call', kind: 'cancel' });
    expect(types(then(after(...done, cancel(5), start('cancel')), end(2, cancelled)))).toEqual(['AttemptEnded', 'CancellationRegistered']);
  });

  test.each<[string, Command[]]>([
    ['pending', [open()]],
    ['unknown', [...inDoubt, ...tried('query', 2, absent)]],
  ])('requested while %s waits: it is sent after a registration and dropped after a rejection', (_status, given) => {
    const n = given.length > 1 ? 3 : 1;
    const kind = 'submit';
    expect(after(...given, cancel(5)).status).toBe(after(...given).status);
    expect(next(after(...given, cancel(5), ...tried(kind, n, registered)))).toEqual({ do: 'call', kind: 'cancel' });
    expect(next(after(...given, cancel(5), ...tried(kind, n, rejected)))).toBeNull();
  });

  test('refused: the registration stands; the same message is ignored, a later one calls again', () => {
    const state = after(...done, cancel(5), ...tried('cancel', 2, refused));
    expect(state).toMatchObject({ status: 'registered', registration: { code: 'FIC' } });
    expect(then(state, cancel(5))).toEqual([]);
    expect(types(then(state, cancel(6)))).toEqual(['CancellationRequested']);
  });

  test('in doubt: is repeated, and publishes no delay', () => {
    const state = after(...done, cancel(5), start('cancel'));
    expect(then(state, end(2, unknown))).toMatchObject([{ type: 'AttemptEnded', data: { delayed: null } }]);
    expect(next(after(...done, cancel(5), ...tried('cancel', 2, unknown)))).toEqual({ do: 'call', kind: 'cancel' });
  });

  describe('refused after a doubt', () => {
    const doubtful = [...done, cancel(5), ...tried('cancel', 2, unknown), ...tried('cancel', 3, refused)];
    const query = { do: 'call', kind: 'query' };

    test('may have been carried out: the authority is queried', () => {
      expect(after(...doubtful).status).toBe('cancelling');
      expect(next(after(...doubtful))).toEqual(query);
      expect(next(after(...doubtful, ...tried('query', 4, unknown)))).toEqual(query);
      expect(next(after(...doubtful), false)).toEqual({ do: 'call', kind: 'cancel' });
    });

    test('is cancelled when the query says so', () => {
      expect(after(...doubtful, ...tried('query', 4, cancelled)).status).toBe('cancelled');
    });

    test('is sent again when the query denies it, and the next refusal is certain', () => {
      const standing = [...doubtful, ...tried('query', 4, absent)];
      expect(next(after(...standing))).toEqual({ do: 'call', kind: 'cancel' });
      const last = then(after(...standing, start('cancel')), end(5, refused, { kind: 'cancel' }));
      expect(types(last)).toEqual(['AttemptEnded', 'CancellationRefused']);
    });
  });

  test.each<[string, Command[]]>([
    ['rejected', [open(), ...tried('submit', 1, rejected)]],
    ['cancelling', [...done, cancel(5)]],
    ['cancelled', [...done, cancel(5), ...tried('cancel', 2, cancelled)]],
  ])('does nothing while %s', (_status, given) => {
    expect(then(after(...given), cancel(9))).toEqual([]);
  });
});

test('throws on a corrupt stream', () => {
  const event = then(after(...done, cancel(1), start('cancel')), end(2, cancelled))[1];
  expect(() => event && evolve(after(open()), event)).toThrow('CancellationRegistered');
  expect(() => event && evolve(initialState, event)).toThrow('CancellationRegistered');
});
