import type { ChainLink } from '../../chain/domain/link.ts';
import { absent, after, cancel, end, inDoubt, registered, start, tried, types, then, unknown } from './testing/commands.ts';
import { decide, type Command } from './decide.ts';
import { evolve } from './evolve.ts';
import { REFUSED_TOGETHER, type AttemptKind, type Result } from './facts.ts';
import type { State } from './state.ts';

const AT = '2026-03-01T10:00:00.000Z';
const link: ChainLink = { document: 'inv_1', round: 1, operation: 'register', position: 1, at: AT, previous: null, hash: 'h', cited: {} };

/** The state of a record of a chain after these commands. */
function chained(...commands: Command[]): State {
  const opened = after({
    ...(inDoubt[0] as Extract<Command, { do: 'open' }>),
    prepared: undefined,
    unprepared: { draft: '{}', chain: { stream: 'chain', seen: 'none' }, deadline: null },
  } as unknown as Command);
  const { prepared } = inDoubt[0] as Extract<Command, { prepared: object }>;
  const whole: Command = { do: 'prepare', round: 1, link, prepared, at: AT };
  return [whole, ...commands].reduce((state, command) => decide(command, state).reduce(evolve, state), opened);
}

const setup: Result = { kind: 'rejected', error: { code: '4102', message: 'm', fixable: 'setup' } };
const failing: Result = { kind: 'deferred', error: { code: '1241', message: 'm' }, ofRecord: true };
const together: Result = { kind: 'deferred', error: { code: REFUSED_TOGETHER, message: 'm' } };
const times = (count: number, kind: AttemptKind, result: Result, from = 1): Command[] =>
  Array.from({ length: count }, (_, n) => tried(kind, from + n, result)).flat();

test('a record of a chain that is refused after the authority did not know it is rejected, whatever has to be fixed', () => {
  const state = chained(...tried('submit', 1, unknown), ...tried('query', 2, absent), ...tried('submit', 3, setup));
  expect(state).toMatchObject({ status: 'rejected', error: { code: '4102', fixable: 'setup' } });
});

test('without a chain the doubt stays', () => {
  expect(after(...inDoubt, ...tried('query', 2, absent), ...tried('submit', 3, setup)).status).toBe('unknown');
});

test('a record at which the authority fails five times is rejected; other failures in between do not count', () => {
  const four = [...times(4, 'submit', failing), ...tried('submit', 5, together)];
  expect(chained(...four)).toMatchObject({ status: 'pending', failures: 4 });
  expect(chained(...four, ...tried('submit', 6, failing))).toMatchObject({ status: 'rejected', error: { code: '1241', fixable: 'setup' } });
});

test('a cancellation at which it fails five times is refused, and the registration stands', () => {
  const done = [...tried('submit', 1, registered), cancel(5)];
  const state = chained(...done, ...times(4, 'cancel', failing, 2), start('cancel'));
  expect(types(then(state, end(6, failing, { kind: 'cancel' })))).toEqual(['AttemptEnded', 'CancellationRefused']);
});

test('what is said of another record of its sending is no news of this one', () => {
  expect(then(chained(start('submit')), end(1, together))).toMatchObject([{ type: 'AttemptEnded', data: { verdict: 'deferred' } }]);
  expect(then(chained(start('submit')), end(1, together))[0]?.data).not.toHaveProperty('news');
});
