import { receiptActions } from '@svc/contracts/receipt/vocabulary';
import { DomainError } from '@svc/kernel';
import fc from 'fast-check';
import { isInDoubt, isOpen } from '../../document/domain/fiscal.ts';
import { availableActions, unavailableActions } from './actions.ts';
import { decide, type ReceiptCommand } from './decide.ts';
import { evolve } from './evolve.ts';
import { commands, eventsOf, fold, type CommandName } from './testing/samples.ts';
import type { NumberedReceipt, ReceiptState } from './state.ts';

function answerTo(command: ReceiptCommand, state: NumberedReceipt): string {
  try {
    return decide(command, state).length > 0 ? 'taken' : 'nothing';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code;
  }
}

function check(state: NumberedReceipt): void {
  const [offered, unavailable] = [availableActions(state), unavailableActions(state)];
  for (const action of receiptActions) expect(offered.includes(action)).toBe(unavailable[action] === undefined);
  for (const why of Object.values(unavailable)) expect(why).toMatch(/^[A-Z].*\.$/);
  expect(offered.includes('resolve')).toBe(isInDoubt(state.fiscal) && state.status !== 'voided');
  const isRepeated = { resubmit: state.status === 'issued' && isOpen(state.fiscal), void: state.status !== 'issued' };
  for (const action of ['resubmit', 'void'] as const) {
    const refused = isRepeated[action] ? 'nothing' : 'invalid_state';
    expect([state.status, action, answerTo(commands[action], state)]).toEqual([
      state.status,
      action,
      offered.includes(action) ? 'taken' : refused,
    ]);
  }
}

test('for every order of commands, what is offered is accepted and what is not offered is refused', () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(commands) as CommandName[])), { maxLength: 30 });
  fc.assert(
    fc.property(names, (sent) => {
      let state: ReceiptState | null = fold(eventsOf(['number']));
      for (const name of sent) {
        check(state as NumberedReceipt);
        try {
          state = decide(commands[name], state).reduce<ReceiptState | null>(evolve, state);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      }
      check(state as NumberedReceipt);
    }),
    { numRuns: 300 },
  );
});
