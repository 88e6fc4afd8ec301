import {
  absent,
  after,
  cancel,
  cancelled,
  deferred,
  end,
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
import { decide, type Command } from './decide.ts';
import { isPutOff, withAbsence, unstoredAbsence } from './end-attempt.ts';
import { evolve } from './evolve.ts';
import type { Result } from './facts.ts';
import { MAX_STORED_ATTEMPTS, type Calling } from './state.ts';

describe('attempts beyond 200', () => {
  const many = Array.from({ length: MAX_STORED_ATTEMPTS }, (_, n) => tried('submit', n + 1, deferred)).flat();
  const state = after(open(), ...many);

  test('are not stored', () => {
    expect(then(state, start('submit'))).toEqual([]);
    expect(then(state, end(201, deferred))).toEqual([]);
  });

  test('store an outcome, with the whole count', () => {
    expect(then(state, end(231, registered))).toMatchObject([
      { type: 'SubmissionRegistered', data: { attempts: 231, last_attempt_at: LATER } },
    ]);
    const [doubt] = then(state, end(231, unknown));
    expect(doubt).toMatchObject({ type: 'AttemptEnded', data: { n: 231, delayed: { round: 1 } } });
    expect(doubt && evolve(state, doubt)).toMatchObject({
      status: 'unknown',
      attemptCount: 231,
      attempts: { length: MAX_STORED_ATTEMPTS },
    });
  });

  describe('an absence that the authority reports is kept until the next call', () => {
    const doubtful = after(open(1, '2026-03-02T00:00:00.000Z'), ...many, end(201, unknown));
    const asked = end(202, absent, { kind: 'query' }) as Extract<Command, { do: 'end_attempt' }>;
    const absence = unstoredAbsence(asked, doubtful as Calling);

    test('leads to another send, not to endless queries, and stores nothing', () => {
      expect(then(doubtful, asked)).toEqual([]);
      expect(absence).toMatchObject({ type: 'AttemptEnded', data: { n: 202, verdict: 'absent' } });
      expect(next(doubtful)).toEqual({ do: 'call', kind: 'query' });
      expect(next(withAbsence(doubtful, absence))).toEqual({ do: 'call', kind: 'submit' });
      expect(isPutOff(asked, doubtful as Calling)).toBe(false);
    });

    test('stores nothing during a doubt of any length, and takes an outcome at any time', () => {
      let [state, cycles] = [doubtful, 0];
      for (let n = 202; n < 2_202; n += 2, cycles += 1) {
        const query = end(n, absent, { kind: 'query' }) as Extract<Command, { do: 'end_attempt' }>;
        const events = [
          ...decide(query, state),
          ...decide(end(n + 1, unknown, { absence: unstoredAbsence(query, state as Calling) }), state),
        ];
        expect(events).toEqual([]);
        state = events.reduce(evolve, state);
      }
      expect(cycles).toBe(1_000);
      expect(types(decide(end(2_202, registered, { kind: 'query' }), state))).toContain('SubmissionRegistered');
    });

    test('makes a rejection of the next send certain, and is stored before it', () => {
      const events = decide(end(203, rejected, { absence }), doubtful);
      expect(types(events)).toEqual(['AttemptEnded', 'AttemptEnded', 'SubmissionRejected']);
      expect(events.reduce(evolve, doubtful)).toMatchObject({ status: 'rejected', attemptCount: 203 });
      expect(decide(end(203, rejected), doubtful)).toMatchObject([
        { type: 'AttemptEnded', data: { news: { status: 'unknown', fixable: 'data' } } },
      ]);
    });

    test('makes the rejection after the deadline certain', () => {
      const expire = (more: object): Command => ({ do: 'expire', at: '2026-03-03T00:00:00.000Z', absence: null, ...more });
      expect(types(then(doubtful, expire({ absence })))).toEqual(['AttemptEnded', 'SubmissionRejected']);
      expect(types(then(doubtful, expire({})))).toEqual(['ReviewRequired']);
    });

    test('is superseded once by the next doubt when an earlier release stored it', () => {
      const stored = [...(absence ? [absence] : [])].reduce(evolve, doubtful);
      expect(next(stored)).toEqual({ do: 'call', kind: 'submit' });
      const [doubt, ...more] = decide(end(203, unknown), stored);
      expect([doubt?.type, more]).toEqual(['AttemptEnded', []]);
      expect(doubt && next(evolve(stored, doubt))).toEqual({ do: 'call', kind: 'query' });
    });

    test('is not stored for a cancellation either: the next refusal is certain', () => {
      const given = Array.from({ length: MAX_STORED_ATTEMPTS - 1 }, (_, n) => tried('submit', n + 1, deferred)).flat();
      const by = (n: number, result: Result, over = {}) => end(n, result, { kind: 'cancel', ...over });
      const state = after(open(), ...given, ...tried('submit', 200, registered), cancel(5), by(201, unknown), by(202, refused));
      const query = by(203, absent, { kind: 'query' }) as Extract<Command, { do: 'end_attempt' }>;
      const stands = unstoredAbsence(query, state as Calling);
      expect(then(state, query)).toEqual([]);
      expect(next(withAbsence(state, stands))).toEqual({ do: 'call', kind: 'cancel' });
      expect(decide(by(204, unknown, { absence: stands }), state)).toEqual([]);
      expect(types(decide(by(204, refused, { absence: stands }), state))).toEqual(['AttemptEnded', 'CancellationRefused']);
      expect(types(decide(by(204, cancelled, { absence: stands }), state))).toContain('CancellationRegistered');
    });
  });

  test('do not make a refusal certain while a cancellation is in doubt', () => {
    const given = Array.from({ length: MAX_STORED_ATTEMPTS - 1 }, (_, n) => tried('submit', n + 1, deferred)).flat();
    const state = after(open(), ...given, ...tried('submit', 200, registered), cancel(5), end(201, unknown, { kind: 'cancel' }));
    expect(types(then(state, end(202, refused, { kind: 'cancel' })))).toEqual(['AttemptEnded']);
  });
});
