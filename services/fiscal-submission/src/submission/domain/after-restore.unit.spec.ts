import { doubtAfterRestore, isLostSince } from './after-restore.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { nextStep } from './next-step.ts';
import type { Calling, State } from './state.ts';
import { end, registered, rejected, start, then, tried } from './testing/commands.ts';

const [before, restoredAt, after] = ['2026-03-01T10:00:00.000Z', '2026-03-01T12:00:00.000Z', '2026-03-01T13:00:00.000Z'];
const link = { at: before };
const common = { open: null, lastAttemptAt: null, attemptCount: 0, attempts: [], failures: 0, failing: null, absences: 0 };
const of = (more: object): State =>
  ({ ...common, prepared: { issued_at: before, deadline: null }, link: null, ...more }) as unknown as State;
const pending = of({ status: 'pending' });

test.each<[string, State, boolean]>([
  ['a record that waits to be sent', pending, true],
  ['one of a chain', of({ status: 'pending', link }), true],
  ['one that was linked after the restore', of({ status: 'pending', link: { at: after } }), false],
  ['one that was issued after the restore', of({ status: 'pending', prepared: { issued_at: after } }), false],
  ['one that was sent after the restore', of({ status: 'pending', lastAttemptAt: after }), false],
  ['one whose call is under way', of({ status: 'pending', open: 1 }), false],
  ['one in doubt', of({ status: 'unknown', absent: false, lastAttemptAt: before }), false],
  ['one that the authority did not have before the backup', of({ status: 'unknown', absent: true, lastAttemptAt: before }), true],
  ['one that the authority does not have since', of({ status: 'unknown', absent: true, lastAttemptAt: after }), false],
  ['a cancellation of the chain', of({ status: 'cancelling', link, doubt: 'none' }), true],
  ['one in doubt already', of({ status: 'cancelling', link, doubt: 'unknown' }), false],
  ['a cancellation without a record, which is repeated', of({ status: 'cancelling', prepared: null, doubt: 'none' }), false],
  ['an amendment', of({ status: 'amending', link, inDoubt: false }), true],
  ['one in doubt already', of({ status: 'amending', link, inDoubt: true }), false],
  ['a registered one', of({ status: 'registered' }), false],
])('may have been sent after the backup: %s', (_, state, isLost) => {
  expect(isLostSince(state, restoredAt)).toBe(isLost);
});

test('what may have been sent is asked for first, where that is possible, and is in doubt where it is not; once', () => {
  const events = doubtAfterRestore({ restoredAt, at: after }, pending);
  expect(events).toMatchObject([{ type: 'AttemptEnded', data: { n: 1, news: { status: 'unknown' }, error: { code: 'restored' } } }]);
  const next = events.reduce(evolve, pending) as Calling;
  expect(next).toMatchObject({ status: 'unknown', absent: false, attemptCount: 1, attempts: [] });
  expect(nextStep(next, { query: true, chain: true }, after)).toEqual({ do: 'call', kind: 'query' });
  expect(nextStep(next, { query: false, chain: false }, after)).toEqual({ do: 'call', kind: 'submit' });
  expect(doubtAfterRestore({ restoredAt, at: after }, next)).toEqual([]);
});

test('a cancellation of a chain is asked for first', () => {
  const state = of({ status: 'cancelling', link, doubt: 'none' });
  const next = doubtAfterRestore({ restoredAt, at: after }, state).reduce(evolve, state);
  expect(nextStep(next, { query: true, chain: true }, after)).toEqual({ do: 'call', kind: 'query' });
});

describe('a cash receipt, whose till may have been opened since', () => {
  const needs = { query: false, chain: false };
  const receipt = of({
    status: 'pending',
    round: 1,
    prepared: { issued_at: before, late_after: after, deadline: null, opening: 'till.day' },
  });
  const inDoubt = doubtAfterRestore({ restoredAt, at: after }, receipt).reduce(evolve, receipt);
  const given = (commands: ReturnType<typeof tried>): State =>
    commands.reduce((state, command) => then(state, command).reduce(evolve, state), inDoubt);

  test('has it opened again, and is sent then; it stays in doubt', () => {
    expect(nextStep(inDoubt, needs, after)).toEqual({ do: 'call', kind: 'deposit' });
    const isOpen = given(tried('deposit', 2, registered, false));
    expect(isOpen).toMatchObject({ status: 'unknown', tillOpened: true });
    expect(nextStep(isOpen, needs, after)).toEqual({ do: 'call', kind: 'submit' });
  });

  test('is reviewed where the opening is refused: it may be registered', () => {
    const state = given([start('deposit')]);
    expect(decide(end(2, rejected, { kind: 'deposit', can_query: false }), state)).toMatchObject([{}, { type: 'ReviewRequired' }]);
  });
});
