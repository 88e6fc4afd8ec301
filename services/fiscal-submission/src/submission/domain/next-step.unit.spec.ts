import type { ChainLink } from '../../chain/domain/link.ts';
import type { Command } from './decide.ts';
import { nextStep, type Step } from './next-step.ts';
import { absent, after, AT, cancel, done, inDoubt, next, open, tried } from './testing/commands.ts';

const BEFORE = '2026-03-01T09:59:55.000Z';
const waits: Step = { do: 'wait', until: AT };

test('a record is not sent before its time: neither first, nor again', () => {
  expect(next(after(open()), true, BEFORE)).toEqual(waits);
  expect(next(after(open()), true, AT)).toEqual({ do: 'call', kind: 'submit' });
  expect(next(after(...inDoubt), false, BEFORE)).toEqual(waits);
  expect(next(after(...inDoubt, ...tried('query', 2, absent)), true, BEFORE)).toEqual(waits);
});

test('what was sent is asked for at any time, and a cancellation that states no time is sent at any', () => {
  expect(next(after(...inDoubt), true, BEFORE)).toEqual({ do: 'call', kind: 'query' });
  expect(next(after(...done, cancel(1)), true, BEFORE)).toEqual({ do: 'call', kind: 'cancel' });
});

test('records of a chain wait for the time of their link, and so do cancellations that are records', () => {
  const link: ChainLink = {
    ...{ document: 'inv_1', round: 1, operation: 'register', position: 1, at: AT, hash: 'H', cited: {} },
    previous: null,
  };
  const chained = { ...(after(open()) as object), link: { ...link, stream: 's' } } as ReturnType<typeof after>;
  const early = { ...chained, prepared: { ...(chained as { prepared: object }).prepared, issued_at: BEFORE } } as typeof chained;
  expect(nextStep(early, { query: true, chain: true }, BEFORE)).toEqual(waits);
  const record = { record: '{}', sha256: 'aa', late_after: AT };
  const prepared: Command = { do: 'prepare_cancellation', cancellation: 1, link: { ...link, operation: 'cancel' }, record, at: BEFORE };
  const cancelling = after(...done, cancel(1), prepared);
  expect(nextStep(cancelling, { query: true, chain: true }, BEFORE)).toEqual(waits);
  expect(nextStep(cancelling, { query: true, chain: true }, AT)).toEqual({ do: 'call', kind: 'cancel' });
});
