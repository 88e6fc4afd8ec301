import { decide, type ReceiptCommand } from './decide.ts';
import type { ReceiptEvent } from './events.ts';
import { afterEvent, dueSteps } from './next-steps.ts';
import type { NumberedReceipt, ReceiptState, Voiding } from './state.ts';
import { at, commands, create, fold, id, inState, ways, type StateName } from './testing/samples.ts';
import { numbering } from '../../invoice/domain/testing/samples.ts';

const corrective = 'rcp_01jh2k3m4n5p6q7r8s9t0v1w3a';
/** As after a void by a corrective. */
const voided = (state: ReceiptState): NumberedReceipt & Voiding => {
  const request = { reason: 'wrong till', requested_at: at, voided_at: null, refused: null, document: corrective };
  return { ...(state as NumberedReceipt), status: 'voiding', void: request, numbering } as NumberedReceipt & Voiding;
};
const reverse: ReceiptCommand = { type: 'reverse', at, original: voided(inState('registered')) };

function after(given: ReceiptCommand[]): { state: ReceiptState; event: ReceiptEvent } {
  const events: ReceiptEvent[] = [];
  for (const command of given) events.push(...decide(command, fold(events)));
  return { state: fold(events)!, event: events.at(-1)! };
}

test.each(Object.keys(ways) as StateName[])('of a receipt, %s, nothing is due', (name) => {
  expect(dueSteps(inState(name))).toEqual([]);
});

test('of a receipt that is asked for, its number is due', () => {
  const asked = after([create]);
  expect(dueSteps(asked.state)).toEqual([{ do: 'take_number' }]);
  expect(afterEvent(asked.event)).toBe('open');
  expect(['number', 'refuse number'].map((name) => afterEvent(after([create, commands[name as 'number']]).event))).toEqual([
    'done',
    'done',
  ]);
  expect(dueSteps(after([create, commands['refuse number']]).state)).toEqual([]);
});

test('of a receipt that a corrective is to void, the corrective is due', () => {
  expect(dueSteps(voided(inState('registered')))).toEqual([{ do: 'reverse' }]);
  const said = ['ReceiptReversalRequested', 'ReceiptReversalRefused', 'ReceiptVoided'].map((type) => afterEvent({ type, data: {} }));
  expect(said).toEqual(['open', 'done', 'done']);
  // A void that was asked for before the registration goes on with it.
  expect([{ reversal: corrective }, {}].map((data) => afterEvent({ type: 'ReceiptRegistered', data }))).toEqual(['open', undefined]);
});

const report = (end: object) => [{ do: 'report', corrects: id, end }];
const refused = (error: object) => report({ error });
test.each<[string, ReceiptCommand[], unknown[], ReturnType<typeof afterEvent>]>([
  ['drafted', [], [{ do: 'take_number' }], 'open'],
  ['numbered', [commands.number], [], 'done'],
  ['registered', [commands.number, commands.register], report({ error: null, issue_date: commands.number.taken.issue_date }), 'open'],
  ['rejected', [commands.number, commands['reject: data']], refused({ code: 'E1', message: 'no' }), 'open'],
  [
    'refused its number',
    [commands['refuse number']],
    refused({ code: 'validation_error', message: 'The corrective takes no number: customer_id was erased' }),
    'open',
  ],
])('of the corrective by which a receipt is voided, %s', (_, given, due, isOpen) => {
  const { state, event } = after([reverse, ...given]);
  expect(dueSteps(state)).toEqual(due);
  expect(afterEvent(event)).toBe(isOpen);
});
