import { fold, eventsOf, registration, ways } from '../invoice/domain/testing/samples.ts';
import { createAwayAuthorities } from './away.ts';
import type { OutcomeCommand } from './domain/outcome.ts';

const at = '2026-01-16T12:00:00.000Z';
const submitting = { ...fold(eventsOf(ways.submitting))!, livemode: true };
const document = (n: number, over: object = {}) => ({ ...submitting, id: `inv_${n}`, ...over });
const delayed = (fixable: null | 'credentials' = null): OutcomeCommand => ({
  ...{ type: 'delay', at, round: 1 },
  delay: {
    status: 'unknown',
    error: { code: 'no_answer', message: 'm', fixable },
    next_attempt_at: null,
    attempts: 1,
    last_attempt_at: at,
  },
});
const registered: OutcomeCommand = { type: 'register', at, round: 1, registration };
const of = (livemode: boolean) => ({ livemode, fiscal: { authority: 'sandbox' } });

/** After these outcomes, each of another document; `repeated`: all of one. */
function after(outcomes: OutcomeCommand[], { over = {}, repeated = false } = {}) {
  const away = createAwayAuthorities();
  outcomes.forEach((outcome, n) => away.learn(outcome, document(repeated ? 0 : n, over)));
  return away;
}
const failures = [delayed(), delayed(), delayed()];

test('an authority is away once three documents in a row got no answer, in that environment alone', () => {
  const away = after(failures);
  expect([away.isAway(of(true)), away.isAway(of(false)), away.isAway({ livemode: true, fiscal: null })]).toEqual([true, false, false]);
  expect(after(failures.slice(1)).isAway(of(true))).toBe(false);
});

test('it is back once a document is registered', () => expect(after([...failures, registered]).isAway(of(true))).toBe(false));

test.each<[string, OutcomeCommand[], object]>([
  ['one document', failures, { repeated: true }],
  ['what an issuer has to fix', failures.map(() => delayed('credentials')), {}],
  [
    'what a test document asks for',
    failures,
    { over: { livemode: false, content: { ...submitting.content, metadata: { simulate: 'timeout' } } } },
  ],
])('%s says nothing of it', (_what, outcomes, over) => {
  const away = after(outcomes, over);
  expect([away.isAway(of(true)), away.isAway(of(false))]).toEqual([false, false]);
});
