import type { ChainLink } from '../../chain/domain/link.ts';
import { absent, after, cancel, end, inDoubt, registered, start, tried, types, then, unknown } from './testing/commands.ts';
import type { Command } from './decide.ts';
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
  return [whole, ...commands].reduce((state, command) => then(state, command).reduce(evolve, state), opened);
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

test('what it answers otherwise in between begins the count anew', () => {
  const stopped: Result = { kind: 'deferred', error: { code: '4108', message: 'm' } };
  const state = chained(...times(4, 'submit', failing), ...tried('submit', 5, stopped), ...times(4, 'submit', failing, 6));
  expect(state).toMatchObject({ status: 'pending', failing: { code: '1241', times: 4 } });
});

test('a call without an answer does not', () => {
  const silence = [start('submit'), end(5, unknown, { http_status: null }), ...tried('query', 6, absent)];
  expect(chained(...times(4, 'submit', failing), ...silence, ...tried('submit', 7, failing)).status).toBe('rejected');
});

test('failures at a registration are not those of its amendment, nor those of a refused cancellation of the next one', () => {
  const flawed: Result = { kind: 'registered', code: 'CSV', registered_at: AT, warnings: ['2005'] };
  const done = [...times(4, 'submit', failing), ...tried('submit', 5, flawed)];
  const amendment: Command[] = [
    { do: 'amend', code: '2005', draft: '{}', seen: '0', at: AT },
    { do: 'prepare_amendment', amendment: 1, link, record: { record: 'r', sha256: 'dd', late_after: AT }, at: AT },
  ];
  expect(chained(...done, ...amendment, ...tried('submit', 6, failing)).status).toBe('amending');
  const refused = [...done, cancel(5), ...times(5, 'cancel', failing, 6)];
  expect(chained(...refused).status).toBe('registered');
  expect(chained(...refused, cancel(6), ...tried('cancel', 11, failing)).status).toBe('cancelling');
});

test('a cancellation at which it fails five times is refused, and the registration stands', () => {
  const done = [...tried('submit', 1, registered), cancel(5)];
  const state = chained(...done, ...times(4, 'cancel', failing, 2), start('cancel'));
  expect(types(then(state, end(6, failing, { kind: 'cancel' })))).toEqual(['AttemptEnded', 'CancellationRefused']);
});

test('a cancellation of a chain that it neither answers nor has after five times is refused; one without a record of its own goes on', () => {
  const done = [...tried('submit', 1, registered), cancel(5)];
  const record: Command = {
    do: 'prepare_cancellation',
    cancellation: 5,
    link,
    record: { record: 'r', sha256: 'dd', late_after: AT },
    at: AT,
  };
  const rounds = [2, 4, 6, 8, 10].flatMap((n) => [...tried('cancel', n, unknown), ...tried('query', n + 1, absent)]);
  expect(chained(...done, record, ...rounds)).toMatchObject({ status: 'registered', registration: { wasRefused: true } });
  expect(chained(...done, record, ...rounds.slice(0, -2)).status).toBe('cancelling');
  expect(chained(...done, ...rounds).status).toBe('cancelling');
});

test('an operator gives up a record whose calls fail; not one that waits for its turn, is in doubt, nor during a call', () => {
  const giveUp: Command = { do: 'give_up', at: AT };
  expect(() => chained(giveUp)).toThrow('No call about it has failed');
  expect(chained(...times(2, 'submit', failing), giveUp)).toMatchObject({ status: 'rejected', error: { code: '1241', fixable: 'setup' } });
  expect(() => chained(start('submit'), giveUp)).toThrow('under way');
  expect(() => chained(...tried('submit', 1, unknown), giveUp)).toThrow('resolve');
  expect(() => chained(...tried('submit', 1, registered), giveUp)).toThrow('registered');
  const done = [...tried('submit', 1, registered), cancel(5)];
  const record: Command = {
    do: 'prepare_cancellation',
    cancellation: 5,
    link,
    record: { record: 'r', sha256: 'dd', late_after: AT },
    at: AT,
  };
  expect(chained(...done, record, ...tried('cancel', 2, unknown), giveUp).status).toBe('registered');
});

test('what is said of another record of its sending is no news of this one', () => {
  expect(then(chained(start('submit')), end(1, together))).toMatchObject([{ type: 'AttemptEnded', data: { verdict: 'deferred' } }]);
  expect(then(chained(start('submit')), end(1, together))[0]?.data).not.toHaveProperty('news');
});
