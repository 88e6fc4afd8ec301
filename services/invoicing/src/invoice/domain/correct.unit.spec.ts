import { availableActions, balance } from './actions.ts';
import { correctionProblems } from './correct.ts';
import type { Correction } from './credits.ts';
import { decide, invoiceDecider, type InvoiceCommand } from './decide.ts';
import { evolve } from './evolve.ts';
import type { InvoiceEvent } from './events.ts';
import type { InvoiceState } from './state.ts';
import { at, body, commands, create, eventsOf, inState, outcomeOf, preconditions, submissionPreconditions } from './testing/samples.ts';

/** 120 with tax. */
const original = inState('submitted');
const note = 'inv_01jh2k3m4n5p6q7r8s9t0v1w3a';
const other = 'inv_01jh2k3m4n5p6q7r8s9t0v1w3b';
/** A submission of a correction with this total, of which nothing is known but its amounts. */
const reserve = (
  over: Partial<Correction> = {},
  { isFull = false, ...around }: { isFull?: boolean; customer_id?: string; currency?: string } = {},
): InvoiceCommand => {
  const { document, type, attempt, total, net }: Correction = {
    ...{ document: note, type: 'credit_note', attempt: 1, total: '70', net: over.total ?? '70' },
    ...over,
  };
  const content = { ...original.content, type, items: [], ...around };
  const totals = { ...original.totals, total, retained_total: String(Number(total) - Number(net)), tax_breakdown: [] };
  return { type: 'reserve_correction', at, attempt, note: { id: document, content, totals }, isFull };
};
const apply = (attempt = 1, document = note): InvoiceCommand => ({ type: 'apply_correction', at, document, attempt });
const release = (attempt = 1, document = note): InvoiceCommand => ({ type: 'release_correction', at, document, attempt });

/** The state after the commands, each decided on what those before it caused. */
const after = (given: InvoiceCommand[], state: InvoiceState | null = original): InvoiceState =>
  given.reduce<InvoiceState | null>((now, command) => decide(command, now).reduce<InvoiceState | null>(evolve, now), state)!;
const outcome = (given: InvoiceCommand[], when: InvoiceCommand, state: InvoiceState | null = original): string =>
  outcomeOf(invoiceDecider, when, after(given, state)).replaceAll('Invoice', '');

describe('on the original', () => {
  test.each<[string, InvoiceCommand[], InvoiceCommand, string]>([
    ['all of it', [], reserve({ total: '120' }), 'CorrectionReserved'],
    ['more than it', [], reserve({ total: '120.01' }), 'CorrectionRefused'],
    ['what another one leaves', [reserve({ document: other })], reserve({ total: '50' }), 'CorrectionReserved'],
    ['more than another one leaves', [reserve({ document: other })], reserve({ total: '50.01' }), 'CorrectionRefused'],
    [
      'more than a registered one leaves',
      [reserve({ document: other }), apply(1, other)],
      reserve({ total: '50.01' }),
      'CorrectionRefused',
    ],
    ['what a released one held', [reserve({ document: other }), release(1, other)], reserve({ total: '120' }), 'CorrectionReserved'],
    [
      'what a void one held',
      [reserve({ document: other }), apply(1, other), release(1, other)],
      reserve({ total: '120' }),
      'CorrectionReserved',
    ],
    ['again, by the same submission', [reserve()], reserve(), 'nothing'],
    ['again, after it was refused', [reserve({ total: '121' })], reserve({ total: '1' }), 'nothing'],
    ['after its submission is over', [reserve(), release()], reserve(), 'nothing'],
    ['by the next submission', [reserve(), release()], reserve({ attempt: 2 }), 'CorrectionReserved'],
    [
      'by the next submission, before the end of the last one is told',
      [reserve()],
      reserve({ attempt: 2, total: '120' }),
      'CorrectionReserved',
    ],
    ['by an earlier submission', [reserve({ attempt: 2 })], reserve(), 'nothing'],
    ['less, by a corrective', [], reserve({ type: 'corrective', total: '-120' }), 'CorrectionReserved'],
    ['too much, by a corrective', [], reserve({ type: 'corrective', total: '-120.01' }), 'CorrectionRefused'],
    ['what a corrective took away', [reserve({ document: other, type: 'corrective', total: '-60' })], reserve(), 'CorrectionRefused'],
    [
      'what a corrective added, which is credited by itself',
      [reserve({ document: other, type: 'corrective', total: '60' }), apply(1, other)],
      reserve({ total: '121' }),
      'CorrectionRefused',
    ],
    ['for another customer', [], reserve({}, { customer_id: 'cust_2' }), 'CorrectionRefused'],
    ['in another currency', [], reserve({}, { currency: 'USD' }), 'CorrectionRefused'],
    ['where its stream is full', [], reserve({}, { isFull: true }), 'CorrectionRefused'],
    ['of one that is void', [{ ...commands.void }], reserve(), 'CorrectionRefused'],
  ])('a correction asks for %s', (_, given, when, then) => expect(outcome(given, when)).toBe(then));

  test.each<[string, InvoiceCommand[], InvoiceCommand, string]>([
    ['registration', [reserve()], apply(), 'CorrectionApplied'],
    ['registration again', [reserve(), apply()], apply(), 'nothing'],
    ['registration of a later submission', [reserve(), release(), reserve({ attempt: 2 })], apply(2), 'CorrectionApplied'],
    ['the end of an earlier submission', [reserve(), release(), reserve({ attempt: 2 })], release(1), 'nothing'],
    ['registration of an earlier submission', [reserve(), release(), reserve({ attempt: 2 })], apply(1), 'nothing'],
    ['registration after the void', [reserve(), apply(), release()], apply(), 'nothing'],
    ['the end', [reserve()], release(), 'CorrectionReleased'],
    ['the end again', [reserve(), release()], release(), 'nothing'],
    ['the end of what was refused', [reserve({ total: '121' })], release(), 'nothing'],
    ['the end of what it does not know', [], release(), 'nothing'],
  ])('is told %s', (_, given, when, then) => expect(outcome(given, when)).toBe(then));

  test.each<[string, InvoiceCommand[], string]>([
    ['reserved', [reserve()], 'invalid_state'],
    ['registered', [reserve(), apply()], 'invalid_state'],
    ['a corrective', [reserve({ type: 'corrective', total: '5' })], 'invalid_state'],
    ['refused', [reserve({ total: '121' })], 'VoidRequested'],
    ['released', [reserve(), release()], 'VoidRequested'],
  ])('its void with a correction that is %s', (_, given, then) => expect(outcome(given, commands.void)).toBe(then));

  test('registered credit notes lower what is due by their total without retentions, correctives by nothing', () => {
    const given = [
      reserve({ total: '60', net: '50' }),
      apply(),
      reserve({ document: other, type: 'corrective', total: '-60' }),
      apply(1, other),
    ];
    const state = after(given);
    expect(balance(state)).toEqual({ paid: '0', credited: '50', due: '70', status: 'partial' });
    const all = after([reserve({ total: '120', net: '120' }), apply()]);
    expect(balance(all)).toMatchObject({ due: '0', status: 'paid' });
    expect(availableActions(all)).toEqual([]);
    expect(balance(after([reserve()])).due).toBe('120');
  });
});

describe('a credit note', () => {
  const written = {
    ...create,
    id: note,
    body: { ...body, type: 'credit_note' as const, corrects: original.id },
    preconditions: { ...preconditions, original },
  };
  const draft = after([written], null);
  const details = { corrects: ['has no room'] };
  const submit: InvoiceCommand = { ...commands.submit };
  const resubmit = (attempt: number, over: object = {}): InvoiceCommand => ({
    ...{ type: 'resubmit', at, attempt },
    preconditions: { ...submissionPreconditions, numbering: null, ...over },
  });
  const failed = [submit, commands.number, commands.reject];

  test('is drafted as an event of its own, in its own series', () => {
    expect(decide(written, null)).toMatchObject([
      { type: 'InvoiceCorrectionDrafted', data: { content: { type: 'credit_note', series: 'CN', corrects: original.id } } },
    ]);
    expect(balance(draft)).toMatchObject({ due: '0', status: 'paid' });
  });

  test.each<[string, object, object, string]>([
    ['of nothing', {}, { original: null }, 'validation_error corrects'],
    ['of a draft', {}, { original: inState('draft') }, 'validation_error corrects'],
    ['of one that waits for the authority', {}, { original: inState('submitting') }, 'validation_error corrects'],
    ['of a credit note', {}, { original: after([submit, commands.number, commands.register], draft) }, 'validation_error corrects'],
    ['for another customer', { customer_id: 'cust_2' }, {}, 'validation_error corrects'],
    ['in another currency', { currency: 'USD' }, {}, 'validation_error corrects'],
    ['of more than the original', { items: [{ description: 'x', unit_price: '100.01' }] }, {}, 'validation_error corrects'],
    ['of nothing at all', { items: [{ description: 'x', unit_price: 0 }] }, {}, 'validation_error items'],
    ['below 0', { items: [{ description: 'x', unit_price: 1, quantity: -1 }] }, {}, 'validation_error items'],
    ['of a part', { items: [{ description: 'x', unit_price: 1 }] }, {}, 'CorrectionDrafted'],
  ])('%s', (_, over, around, then) =>
    expect(
      outcome([], { ...written, body: { ...written.body, ...over }, preconditions: { ...written.preconditions, ...around } }, null),
    ).toBe(then),
  );

  test.each<[string, InvoiceCommand[], InvoiceCommand, string]>([
    ['submit', [], submit, 'SubmissionRequested'],
    [
      'submit without room',
      [],
      {
        ...submit,
        preconditions: {
          ...submissionPreconditions,
          original: { state: after([reserve({ document: other, total: '120' })]), isFull: false },
        },
      },
      'validation_error corrects',
    ],
    ['submit again after a rejection', failed, submit, 'ResubmissionRequested'],
    ['submit while it is submitted again', [...failed, submit], submit, 'nothing'],
    ['void while it is submitted again', [...failed, submit], commands.void, 'invalid_state'],
    ['PATCH while it is submitted again', [...failed, submit], commands['PATCH notes'], 'invalid_state'],
    ['the original has room', [...failed, submit], resubmit(2), 'Resubmitted'],
    ['the original has room, told twice', [...failed, submit, resubmit(2)], resubmit(2), 'nothing'],
    ['the original had room for an earlier submission', [...failed, submit], resubmit(1), 'nothing'],
    ['the customer is gone meanwhile', [...failed, submit], resubmit(2, { customer: undefined }), 'ResubmissionRefused'],
    ['the original has no room', [...failed, submit], { type: 'refuse_resubmission', at, attempt: 2, details }, 'ResubmissionRefused'],
    [
      'the original had no room for an earlier submission',
      [...failed, submit],
      { type: 'refuse_resubmission', at, attempt: 1, details },
      'nothing',
    ],
    ['the authority answers late', [...failed, submit], commands.register, 'nothing'],
  ])('%s', (_, given, when, then) => expect(outcome(given, when, draft)).toBe(then));

  test('keeps number and reason when it cannot be submitted again, and asks anew', () => {
    const refused = after([...failed, submit, { type: 'refuse_resubmission', at, attempt: 2, details }], draft);
    expect(refused).toMatchObject({ status: 'failed', refused: details, attempt: 2, issue: { seq: 1 }, round: 1 });
    expect(after([submit, resubmit(3)], refused)).toMatchObject({ status: 'submitting', round: 2, attempt: 3 });
    expect(after([submit], refused)).not.toHaveProperty('refused');
  });

  test('tells whom it corrects in each event after which the original is told', () => {
    const told = (given: InvoiceCommand[], when: InvoiceCommand) =>
      decide(when, after(given, draft)).map(({ data }: InvoiceEvent) => 'corrects' in data && data.corrects);
    expect(told([submit], commands['refuse number'])).toEqual([original.id]);
    expect(told([submit, commands.number], commands.register)).toEqual([original.id]);
    expect(told([submit, commands.number], commands.reject)).toEqual([original.id]);
    expect(told([submit, commands.number, commands.reject], commands.void)).toEqual([original.id]);
    expect(told([submit, commands.number, commands.register], commands.void)).toEqual([false]);
    expect(told([], commands.void)).toEqual([original.id]);
    for (const { data } of eventsOf(['submit', 'number', 'register', 'void', 'cancel'])) expect(data).not.toHaveProperty('corrects');
  });

  test('a patch of its amount is judged against the original; one of its notes is not', () => {
    const full = after([reserve({ document: other, total: '120' })]);
    const revise = (change: object): InvoiceCommand => ({
      type: 'revise',
      at,
      body: change,
      preconditions: { ...preconditions, original: full },
    });
    expect(outcome([], revise({ items: [{ unit_price: 1 }] }), draft)).toBe('validation_error corrects');
    expect(outcome([], revise({ currency: 'USD' }), draft)).toBe('validation_error corrects');
    expect(outcome([], revise({ notes: 'n' }), draft)).toBe('Revised');
  });
});

test('a standard invoice below 0 is refused at submission, and 0 is not', () => {
  const of = (unit_price: number, quantity: number) => ({
    ...create,
    body: { ...body, items: [{ description: 'x', unit_price, quantity }] },
  });
  expect(outcome([of(1, -1)], commands.submit, null)).toBe('validation_error items');
  expect(outcome([of(0, 1)], commands.submit, null)).toBe('SubmissionRequested');
});

test('a corrective that carries out a void cannot be corrected', () => {
  const content = { ...original.content, type: 'corrective' as const };
  const { customer_id, currency } = content;
  const correcting = { document: note, type: 'credit_note' as const, customer_id, currency };
  expect(correctionProblems({ ...original, content } as InvoiceState, correcting)).toEqual({});
  expect(correctionProblems({ ...original, content, reversal: true } as InvoiceState, correcting)).toEqual({
    corrects: [expect.stringContaining('carries out the void')],
  });
});
