import type { ChainLink } from '../../chain/domain/link.ts';
import { absent, after, AT, cancel, end, foreign, LATER, open, rejected, start, tried, types, then, unknown } from './testing/commands.ts';
import { type Command } from './decide.ts';
import type { Result } from './facts.ts';
import { nextStep } from './next-step.ts';
import type { State } from './state.ts';

const link: ChainLink = { document: 'inv_1', round: 1, operation: 'amend', position: 7, at: AT, previous: null, hash: 'h', cited: {} };
const wrong: Result = { kind: 'registered', code: 'CSV', registered_at: LATER, warnings: ['2005'] };
const right: Result = { kind: 'registered', code: 'CSV-2', registered_at: LATER, warnings: [] };
const amend = (code = '2005'): Command => ({ do: 'amend', code, draft: '{}', seen: '6', at: LATER });
const record = { record: 'mended', sha256: 'dd', late_after: LATER, reference: 'of the amendment' };
const prepare = (amendment = 1): Command => ({ do: 'prepare_amendment', amendment, link, record, at: LATER });
const registered = [open(), ...tried('submit', 1, wrong)];
const amending = [...registered, amend(), prepare()];
const next = (state: State) => nextStep(state, { query: true, chain: true }, LATER);

test('what is registered with the warning is linked, then sent', () => {
  expect(next(after(...registered, amend()))).toEqual({ do: 'link' });
  expect(next(after(...amending))).toEqual({ do: 'call', kind: 'submit' });
  const done = after(...amending, ...tried('submit', 2, right));
  expect(done).toMatchObject({ status: 'registered', registration: { code: 'CSV', warnings: [], record_sha256: 'dd', amendments: 1 } });
  expect(done).toMatchObject({ registration: { reference: 'of the amendment' } });
});

test('it is asked for once: of another warning, while it is under way and afterwards nothing changes', () => {
  expect(then(after(...registered), amend('2000'))).toEqual([]);
  expect(then(after(...amending), amend())).toEqual([]);
  expect(then(after(...amending), prepare())).toEqual([]);
  expect(then(after(...amending, ...tried('submit', 2, right)), amend())).toEqual([]);
  expect(then(after(open()), amend())).toEqual([]);
});

test('after a doubt the authority is asked, and what it does not know is sent again', () => {
  const doubtful = [...amending, ...tried('submit', 2, unknown)];
  expect(next(after(...doubtful))).toEqual({ do: 'call', kind: 'query' });
  expect(then(after(...doubtful), start('submit'))).toEqual([]);
  expect(next(after(...doubtful, ...tried('query', 3, absent)))).toEqual({ do: 'call', kind: 'submit' });
  expect(after(...doubtful, ...tried('query', 3, right)).status).toBe('registered');
  expect(then(after(...doubtful, start('query')), end(3, unknown, { kind: 'query' }))).toMatchObject([{ data: { delayed: null } }]);
});

test('one that the authority neither answers nor has after five times is refused, so that its chain goes on', () => {
  const round = (n: number): Command[] => [...tried('submit', n, unknown), ...tried('query', n + 1, absent)];
  const four = [...amending, ...[2, 4, 6, 8].flatMap(round)];
  expect(after(...four).status).toBe('amending');
  expect(after(...four, ...round(10))).toMatchObject({ status: 'registered', registration: { amendmentRefused: true, code: 'CSV' } });
});

test.each([rejected, foreign])('refused, it leaves the registration, and the next one says so: %j', (result) => {
  const refused = after(...amending, ...tried('submit', 2, result));
  expect(refused).toMatchObject({ status: 'registered', registration: { code: 'CSV', warnings: ['2005'], amendmentRefused: true } });
  expect(then(refused, amend())).toMatchObject([{ type: 'AmendmentRequested', data: { amendment: 2 } }]);
});

test('a cancellation that is requested meanwhile follows it', () => {
  const state = after(...amending, cancel(5), ...tried('submit', 2, right));
  expect(state).toMatchObject({ status: 'cancelling', registration: { record_sha256: 'dd' } });
  expect(types(then(after(...amending), cancel(5)))).toEqual(['CancellationRequested']);
});
