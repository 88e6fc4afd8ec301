import type { ChainLink } from '../../chain/domain/link.ts';
import {
  absent,
  after,
  AT,
  cancel,
  cancelled,
  end,
  LATER,
  refused,
  registered,
  start,
  then,
  tried,
  types,
  unknown,
} from './testing/commands.ts';
import type { Command } from './decide.ts';
import { nextStep } from './next-step.ts';
import type { State } from './state.ts';

const opened = (round = 1) => ({
  ...{ document_id: 'inv_1', kind: 'invoice' as const, round, authority: 'es-verifactu', number: 'INV-1' },
  ...{ issuer_tax_id: 'L1', simulate: null, traceparent: null },
});
const unprepared = (deadline: string | null = null) => ({
  draft: '{}',
  chain: { stream: 'chain-test.acct_1.es-verifactu.I1.L1', seen: 'none' },
  deadline,
});
const open = (deadline: string | null = null): Command => ({ do: 'open', opened: opened(), unprepared: unprepared(deadline), at: AT });
const link: ChainLink = {
  ...{ document: 'inv_1', round: 1, operation: 'register', position: 1, at: AT, hash: 'H1', cited: {} },
  previous: null,
};
const prepared = {
  ...{ record: '{}', sha256: 'aa', issuer_code: 'IC', verification_url: 'https://check', issued_at: AT, late_after: LATER, deadline: null },
};
const prepare = (over: Partial<Extract<Command, { do: 'prepare' }>> = {}): Command => ({
  ...{ do: 'prepare', round: 1, link, prepared, at: AT },
  ...over,
});
const held = (code: string): Command => ({
  ...{ do: 'hold', round: 1, error: { code, message: 'm' }, fixable: 'credentials', next_attempt_at: LATER, at: AT },
});
const next = (state: State, chain = true, now = AT) => nextStep(state, { query: true, chain }, now);

test('a record takes its link, is signed, and only then sent', () => {
  expect(next(after(open()))).toEqual({ do: 'link' });
  expect(next(after(open(), prepare({ prepared: null })))).toEqual({ do: 'sign' });
  expect(next(after(open()), false)).toEqual({ do: 'sign' });
  expect(next(after(open(), prepare()))).toEqual({ do: 'call', kind: 'submit' });
  expect(then(after(open()), start('submit'))).toEqual([]);
});

test('a record that only its link completes is stored with it in one append', () => {
  expect(types(then(after(open()), prepare()))).toEqual(['RecordLinked', 'RecordPrepared']);
  expect(types(then(after(open(), prepare({ prepared: null })), prepare()))).toEqual(['RecordPrepared']);
});

test('what is prepared is never prepared again, and not for another round', () => {
  expect(then(after(open(), prepare()), prepare({ prepared: { ...prepared, issuer_code: 'OTHER' } }))).toEqual([]);
  expect(then(after(open()), prepare({ round: 2 }))).toEqual([]);
});

test('a held record says once what has to be fixed, and nothing of it once it is prepared', () => {
  const state = after(open(), held('credentials_missing'));
  expect(then(after(open()), held('credentials_missing'))).toMatchObject([
    { type: 'PreparationHeld', data: { status: 'pending', fixable: 'credentials', error: { code: 'credentials_missing' } } },
  ]);
  expect(then(state, held('credentials_missing'))).toEqual([]);
  expect(types(then(state, held('credentials_expired')))).toEqual(['PreparationHeld']);
  const whole = after(open(), held('credentials_missing'), prepare());
  expect(whole).toMatchObject({ status: 'pending', reported: { code: null, fixable: null } });
  expect(next(whole)).toEqual({ do: 'call', kind: 'submit' });
});

test('what the record says otherwise than the document stands with each attempt to send it', () => {
  const warnings = [{ code: 'transliterated', message: 'm' }];
  const state = after(open(), prepare({ prepared: { ...prepared, warnings } }));
  expect(then(state, start('submit'))).toMatchObject([{ type: 'AttemptStarted', data: { n: 1, warnings } }]);
  expect(then(after(open(), prepare()), start('submit'))[0]?.data).not.toHaveProperty('warnings');
});

test('a cancellation that is requested meanwhile is kept until the registration is known', () => {
  expect(after(open(), cancel(1), prepare())).toMatchObject({ status: 'pending', cancellation: { sequence: 1 } });
});

test('at its deadline it is rejected: it certainly was not sent', () => {
  const state = after(open(AT));
  expect(next(state, true, AT)).toEqual({ do: 'link' });
  expect(next(state, true, LATER)).toEqual({ do: 'expire' });
  expect(then(state, { do: 'expire', absence: null, at: LATER })).toMatchObject([
    { type: 'SubmissionRejected', data: { error: { code: 'deadline_passed' } } },
  ]);
});

describe('a cancellation that is a record of the chain', () => {
  const annulled = { record: '<a/>', sha256: 'bb', late_after: LATER, reference: 'ref' };
  const annulment = { ...link, round: 1, operation: 'cancel' as const, position: 2 };
  const annul = (cancellation = 1): Command => ({ do: 'prepare_cancellation', cancellation, link: annulment, record: annulled, at: AT });
  const registeredInChain = [open(), prepare({ prepared: { ...prepared, reference: 'ref' } }), ...tried('submit', 1, registered)];
  const asked = [...registeredInChain, cancel(1)];

  test('takes its link, and is then sent', () => {
    expect(next(after(...asked))).toEqual({ do: 'link' });
    expect(next(after(...asked), false)).toEqual({ do: 'call', kind: 'cancel' });
    const state = after(...asked, annul());
    expect(state).toMatchObject({ prepared: annulled, link: { position: 2 }, registration: { reference: 'ref', chain: { position: 1 } } });
    expect(next(state)).toEqual({ do: 'call', kind: 'cancel' });
  });

  test('is prepared once, and not for another request', () => {
    expect(types(then(after(...asked), annul()))).toEqual(['CancellationPrepared']);
    expect(then(after(...asked, annul()), annul())).toEqual([]);
    expect(then(after(...asked), annul(2))).toEqual([]);
    expect(then(after(...registeredInChain), annul())).toEqual([]);
  });

  test('is asked for after a doubt, and goes again where it is not registered', () => {
    const inDoubt = [...asked, annul(), ...tried('cancel', 2, unknown)];
    expect(next(after(...inDoubt))).toEqual({ do: 'call', kind: 'query' });
    expect(next(after(...inDoubt, ...tried('query', 3, absent)))).toEqual({ do: 'call', kind: 'cancel' });
    expect(after(...inDoubt, ...tried('query', 3, cancelled))).toMatchObject({ status: 'cancelled' });
  });

  test('that was refused is said to have been, by the next one', () => {
    const state = after(...asked, annul(), ...tried('cancel', 2, refused), cancel(2));
    expect(state).toMatchObject({ status: 'cancelling', prepared: null, link: null, registration: { wasRefused: true } });
    expect(next(state)).toEqual({ do: 'link' });
  });
});

describe('a record of a chain that a query finds', () => {
  const MUCH_LATER = '2026-03-01T10:05:00.000Z';
  const sentAt = (at: string, n: number): Command[] => [
    { ...start('submit'), at } as Command,
    end(n, unknown),
    start('query'),
    end(n + 1, absent, { kind: 'query' }),
  ];
  const foundAt = (registered_at: string, ...sent: Command[]) => {
    const state = after(open(), prepare(), ...sent.slice(0, -2), start('query'));
    return then(state, end(sent.length / 2, { kind: 'registered', code: 'R', registered_at, warnings: [] }, { kind: 'query' }))[1];
  };

  const foundAfterRestore = (registered_at: string) => {
    const restored: Command = { do: 'doubt', restoredAt: MUCH_LATER, at: MUCH_LATER };
    const state = after(open(), prepare(), ...sentAt(AT, 1), restored, start('query'));
    return then(state, end(4, { kind: 'registered', code: 'R', registered_at, warnings: [] }, { kind: 'query' }))[1];
  };

  test.each([
    ['in time where it was sent so, although the authority’s clock is ahead', false, foundAt(MUCH_LATER, ...sentAt(AT, 1))],
    ['late where it was sent so, although the authority’s clock is behind', true, foundAt(AT, ...sentAt(MUCH_LATER, 1))],
    ['late by the authority’s time where one sending was in time', true, foundAt(MUCH_LATER, ...sentAt(AT, 1), ...sentAt(MUCH_LATER, 3))],
    ['in time by it, too', false, foundAt(AT, ...sentAt(AT, 1), ...sentAt(MUCH_LATER, 3))],
    ['in time by it, where a restore has lost when it was sent again', false, foundAfterRestore(AT)],
    ['late by it, too', true, foundAfterRestore(MUCH_LATER)],
  ])('is %s', (_, late, event) => expect(event).toMatchObject({ type: 'SubmissionRegistered', data: { late } }));
});
