import { DomainError } from '@svc/kernel';
import fc from 'fast-check';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { commands, create, fold, type CommandName } from './testing/samples.ts';
import type { InvoiceEvent } from './events.ts';
import type { InvoiceState } from './state.ts';

/** The transitions of the public state table, with numbering added. */
const moves: Record<InvoiceState['status'], InvoiceState['status'][]> = {
  draft: ['draft', 'being_numbered', 'voided'],
  being_numbered: ['being_numbered', 'draft', 'submitting'],
  submitting: ['submitting', 'submitted', 'failed'],
  submitted: ['submitted', 'voiding'],
  failed: ['failed', 'submitting', 'being_resubmitted', 'voided'],
  being_resubmitted: ['being_resubmitted', 'submitting', 'failed'],
  voiding: ['voiding', 'voided', 'submitted'],
  voided: ['voided'],
};

/** Holds in every state. */
function check(state: InvoiceState): void {
  const numbered = 'issue' in state && state.issue !== null;
  expect(numbered).toBe(!['draft', 'being_numbered'].includes(state.status) && !(state.status === 'voided' && state.issue === null));
  if (!('fiscal' in state)) return;
  const { fiscal } = state;
  const expected = {
    submitting: ['pending', 'unknown', 'needs_review'],
    failed: ['rejected'],
    being_resubmitted: ['rejected'],
    submitted: ['registered'],
    voiding: ['registered'],
    voided: ['cancelled', 'rejected'],
  };
  expect(expected[state.status]).toContain(fiscal.status);
  expect(fiscal.code !== null).toBe(['registered', 'cancelled'].includes(fiscal.status));
  expect(fiscal.error !== null && !['rejected', 'unknown', 'needs_review'].includes(fiscal.status)).toBe(false);
}

test('for every order of commands, the invoice makes only legal transitions and keeps its number', () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(commands) as CommandName[])), { maxLength: 40 });
  fc.assert(
    fc.property(names, (sent) => {
      const events: InvoiceEvent[] = [];
      let state: InvoiceState | null = null;
      for (const command of [create, ...sent.map((name) => commands[name])]) {
        let made: InvoiceEvent[] = [];
        try {
          made = decide(command, state);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
        const before: InvoiceState | null = state;
        events.push(...made);
        state = fold(events);
        if (!state) throw new Error('gone');
        check(state);
        if (!before) continue;
        expect(moves[before.status]).toContain(state.status);
        if (made.length === 0) expect(state).toEqual(before);
        if ('issue' in before && before.issue) expect('issue' in state && state.issue).toEqual(before.issue);
        // One event for each command, so that the version counts what a caller sees happen.
        expect(made.length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 300 },
  );
});

test('a command repeated immediately returns what it returns in a state where nothing is left to do', () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(commands) as CommandName[])), { minLength: 1, maxLength: 12 });
  const repeatable: CommandName[] = [
    'number',
    'register',
    'reject',
    'delay: unknown',
    'delay: review',
    'cancel',
    'refuse void',
    'PATCH metadata',
  ];
  fc.assert(
    fc.property(names, fc.constantFrom(...repeatable), (sent, last) => {
      let state: InvoiceState | null = fold(decide(create, null));
      for (const name of [...sent, last]) {
        try {
          state = decide(commands[name], state).reduce<InvoiceState | null>(evolve, state);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      }
      expect(decide(commands[last], state)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
