import { DomainError } from '@svc/kernel';
import fc from 'fast-check';
import { isOpen } from '../../document/domain/fiscal.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { commands, create, eventsOf, fold, type CommandName } from './testing/samples.ts';
import type { NumberedReceipt, ReceiptState } from './state.ts';

const moves: Record<NumberedReceipt['status'], NumberedReceipt['status'][]> = {
  issued: ['issued', 'voiding', 'voided'],
  voiding: ['voiding', 'voided', 'issued'],
  voided: ['voided'],
};

/** Holds in every state. */
function check({ status, fiscal, void: requested }: NumberedReceipt): void {
  if (status === 'voiding') expect(isOpen(fiscal) || fiscal.status === 'registered').toBe(true);
  if (status === 'voided') expect(['cancelled', 'rejected']).toContain(fiscal.status);
  if (status === 'issued') expect(fiscal.status).not.toBe('cancelled');
  expect(fiscal.code !== null).toBe(['registered', 'cancelled'].includes(fiscal.status));
  expect(typeof requested?.voided_at === 'string').toBe(status === 'voided');
}

test('for every order of commands, the receipt makes only legal transitions and keeps its number', () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(commands) as CommandName[])), { maxLength: 30 });
  fc.assert(
    fc.property(names, (sent) => {
      const first = fold(eventsOf(['number'])) as NumberedReceipt;
      let state: ReceiptState | null = first;
      for (const name of sent) {
        const before = state as NumberedReceipt;
        try {
          state = decide(commands[name], before).reduce<ReceiptState | null>(evolve, before);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
        const now = state as NumberedReceipt;
        expect(moves[before.status]).toContain(now.status);
        check(now);
      }
      const { issue, content, totals } = state as NumberedReceipt;
      expect([issue, content, totals]).toEqual([first.issue, first.content, first.totals]);
    }),
    { numRuns: 300 },
  );
});

test('a receipt without a number accepts only its number', () => {
  expect(decide(create, fold(eventsOf([])))).toEqual([]);
  expect(decide(commands.number, fold(eventsOf([]))).map(({ type }) => type)).toEqual(['ReceiptIssued']);
});
