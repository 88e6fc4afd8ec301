import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import { decide, type InvoiceCommand } from './decide.ts';
import type { InvoiceEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { afterEvent, dueSteps } from './next-steps.ts';
import type { InvoiceState, NumberedInvoice, Voiding } from './state.ts';
import {
  at,
  commands,
  create,
  fold,
  id,
  inState,
  numbering,
  submissionPreconditions,
  taken,
  ways,
  type StateName,
} from './testing/samples.ts';

const original = inState('submitted');
const note = 'inv_01jh2k3m4n5p6q7r8s9t0v1w3a';
const correction: CreateInvoice = { ...create.body, type: 'credit_note', corrects: id };
const createNote: InvoiceCommand = {
  ...create,
  id: note,
  body: correction,
  preconditions: { ...create.preconditions, original },
};
const submitNote: InvoiceCommand = {
  ...commands.submit,
  preconditions: { ...submissionPreconditions, original: { state: original, isFull: false } },
};
const resubmit: InvoiceCommand = { type: 'resubmit', at, attempt: 2, preconditions: submissionPreconditions };
const refuse: InvoiceCommand = { type: 'refuse_resubmission', at, attempt: 2, details: { corrects: ['is credited'] } };

/** As after a void whose corrective is `note`. */
const voided = (state: InvoiceState): NumberedInvoice & Voiding => {
  const request = { reason: 'Wrong', requested_at: at, voided_at: null, refused: null, document: note };
  return { ...(state as NumberedInvoice), status: 'voiding', void: request, numbering } as NumberedInvoice & Voiding;
};
const reverse: InvoiceCommand = { type: 'reverse', at, original: voided(original) };

/** The last state, and the last event that led there. */
function after(given: InvoiceCommand[]): { state: InvoiceState; event: InvoiceEvent } {
  const events: InvoiceEvent[] = [];
  for (const command of given) events.push(...decide(command, fold(events)));
  return { state: events.reduce<InvoiceState | null>(evolve, null)!, event: events.at(-1)! };
}

test.each(Object.keys(ways) as StateName[])('of an invoice that corrects nothing, %s, a number alone is ever due', (name) => {
  const { status } = inState(name);
  expect(dueSteps(inState(name))).toEqual(status === 'being_numbered' ? [{ do: 'take_number' }] : []);
});

const { number, register, reject } = commands;
const report = (type: 'apply_correction' | 'release_correction', attempt = 1) => [
  { do: 'report', corrects: id, report: { type, attempt } },
];
const reserve = (attempt: number) => [{ do: 'reserve', corrects: id, attempt }];

test.each<[string, InvoiceCommand[], unknown[], ReturnType<typeof afterEvent>]>([
  ['a draft', [], [], undefined],
  ['submitted', [submitNote], reserve(1), 'open'],
  ['refused its number', [submitNote, commands['refuse number']], report('release_correction'), 'open'],
  ['submitted a second time', [submitNote, commands['refuse number'], submitNote], reserve(2), 'open'],
  ['numbered', [submitNote, number], [], 'done'],
  ['registered', [submitNote, number, register], report('apply_correction'), 'open'],
  ['rejected', [submitNote, number, reject], report('release_correction'), 'open'],
  ['submitted again under its number', [submitNote, number, reject, submitNote], reserve(2), 'open'],
  ['that may be sent again', [submitNote, number, reject, submitNote, resubmit], [], 'done'],
  ['refused its resubmission', [submitNote, number, reject, submitNote, refuse], report('release_correction', 2), 'open'],
  ['voided before it has a number', [commands.void], [], 'open'],
  ['whose annulment is asked for', [submitNote, number, register, commands.void], report('apply_correction'), undefined],
  ['that is annulled', [submitNote, number, register, commands.void, commands.cancel], report('release_correction'), 'open'],
])('of a credit note, %s', (_, given, due, isOpen) => {
  const { state, event } = after([createNote, ...given]);
  expect(dueSteps(state)).toEqual(due);
  expect(afterEvent(event)).toBe(isOpen);
});

test('of an invoice that a corrective is to void, the corrective is due, also while its own outcome is not reported', () => {
  expect(dueSteps(voided(original))).toEqual([{ do: 'reverse' }]);
  const { state } = after([createNote, submitNote, number, register]);
  expect(dueSteps(voided(state))).toEqual([{ do: 'reverse' }, ...report('apply_correction')]);
  expect(['InvoiceReversalRequested', 'InvoiceReversalRefused'].map((type) => afterEvent({ type, data: {} }))).toEqual(['open', 'done']);
});

const ended = (end: object) => [{ do: 'report', corrects: id, report: { type: 'end_reversal', ...end } }];
test.each<[string, InvoiceCommand[], unknown[], ReturnType<typeof afterEvent>]>([
  ['drafted', [], [{ do: 'take_number' }], 'open'],
  ['numbered', [number], [], 'done'],
  ['registered', [number, register], ended({ error: null, issue_date: taken.issue_date }), 'open'],
  ['rejected', [number, reject], ended({ error: { code: 'E1', message: 'no' } }), 'open'],
  [
    'refused its number',
    [commands['refuse number']],
    ended({ error: { code: 'validation_error', message: 'The corrective takes no number: issue_date is before' } }),
    'open',
  ],
])('of the corrective by which an invoice is voided, %s', (_, given, due, isOpen) => {
  const { state, event } = after([reverse, ...given]);
  expect(dueSteps(state)).toEqual(due);
  expect(afterEvent(event)).toBe(isOpen);
});
