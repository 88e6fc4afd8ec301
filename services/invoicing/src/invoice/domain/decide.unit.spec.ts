import { availableActions } from './actions.ts';
import { decide, invoiceDecider, type InvoiceCommand } from './decide.ts';
import {
  at,
  body,
  preconditions,
  commands,
  create,
  eventsOf,
  fold,
  inState,
  numbering,
  outcomeOf,
  parties,
  refusal,
  submissionPreconditions,
  ways,
} from './testing/samples.ts';
import type { CommandName, StateName } from './testing/samples.ts';
import type { UpdateInvoice } from '@svc/contracts/invoice/requests';
import { invalid } from '@svc/kernel';
import type { Totals } from '@svc/totals/terms';
import type { InvoiceEvent } from './events.ts';
import type { InvoiceState } from './state.ts';

const revised = 'InvoiceRevised';
const locked = 'invalid_state';
/** The result of each command in each state; where none is named, that in `unnamed`, else nothing. */
const table: Record<StateName, Partial<Record<CommandName, string>>> = {
  draft: {
    'PATCH notes': revised,
    'PATCH metadata': revised,
    submit: 'InvoiceSubmissionRequested',
    void: 'InvoiceVoided',
    'void without reason': 'InvoiceVoided',
  },
  'being numbered': {
    'PATCH notes': locked,
    'PATCH metadata': revised,
    number: 'InvoiceNumbered',
    'refuse number': 'InvoiceSubmissionRefused',
    void: locked,
    'void without reason': locked,
  },
  // An answer to the first request does not affect the second.
  'being numbered again': {
    'PATCH notes': locked,
    'PATCH metadata': revised,
    'number again': 'InvoiceNumbered',
    'refuse number again': 'InvoiceSubmissionRefused',
    void: locked,
    'void without reason': locked,
  },
  submitting: {
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: locked,
    'void without reason': locked,
    register: 'InvoiceRegistered',
    reject: 'InvoiceRejected',
    'delay: unknown': 'InvoiceDelayed',
    'delay: review': 'InvoiceDelayed',
  },
  'submitting, unknown': {
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: locked,
    'void without reason': locked,
    register: 'InvoiceRegistered',
    reject: 'InvoiceRejected',
    'delay: review': 'InvoiceDelayed',
  },
  'submitting, review': {
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: locked,
    'void without reason': locked,
    register: 'InvoiceRegistered',
    reject: 'InvoiceRejected',
  },
  failed: {
    'PATCH notes': revised,
    'PATCH metadata': revised,
    submit: 'InvoiceResubmitted',
    void: 'InvoiceVoided',
    'void without reason': 'validation_error reason',
  },
  'submitting again': {
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: locked,
    'void without reason': locked,
    'register round 2': 'InvoiceRegistered',
    'reject round 2': 'InvoiceRejected',
  },
  submitted: {
    amend: 'InvoiceAmended',
    pay: 'InvoicePaymentRecorded',
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: 'InvoiceVoidRequested',
    'void without reason': 'validation_error reason',
  },
  paid: {
    amend: 'InvoiceAmended',
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: locked,
    'void without reason': locked,
    reverse: 'InvoicePaymentReversed',
    pay: 'nothing',
  },
  reversed: {
    amend: 'InvoiceAmended',
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: 'InvoiceVoidRequested',
    'void without reason': 'validation_error reason',
    pay: 'nothing',
    reverse: 'nothing',
  },
  voiding: {
    amend: 'InvoiceAmended',
    'PATCH notes': locked,
    'PATCH metadata': revised,
    submit: locked,
    cancel: 'InvoiceVoided',
    'refuse void': 'InvoiceVoidRefused',
  },
  'void refused': {
    amend: 'InvoiceAmended',
    pay: 'InvoicePaymentRecorded',
    'PATCH notes': locked,
    'PATCH metadata': revised,
    void: 'InvoiceVoidRequested',
    'void without reason': 'validation_error reason',
  },
  // The refusal belongs to the first request; repeated, it does not affect the second.
  'voiding again': { amend: 'InvoiceAmended', 'PATCH notes': locked, 'PATCH metadata': revised, submit: locked, cancel: 'InvoiceVoided' },
  voided: { 'PATCH notes': locked, 'PATCH metadata': revised, submit: locked },
  'voided draft': { 'PATCH notes': locked, 'PATCH metadata': revised, submit: locked },
  'voided after failure': { 'PATCH notes': locked, 'PATCH metadata': revised, submit: locked },
};

const unnamed: Partial<Record<CommandName, string>> = { pay: locked, reverse: 'not_found' };

describe.each(Object.keys(ways) as StateName[])('%s', (name) => {
  test.each(Object.keys(commands) as CommandName[])('%s', (command) => {
    expect(outcomeOf(invoiceDecider, commands[command], inState(name))).toBe(table[name][command] ?? unnamed[command] ?? 'nothing');
  });
});

const after = (name: StateName, command: InvoiceCommand): InvoiceState => {
  const state = inState(name);
  return decide(command, state).reduce<InvoiceState | null>(invoiceDecider.evolve, state)!;
};

describe('effects', () => {
  test('a second creation appends nothing', () => expect(decide(create, inState('draft'))).toEqual([]));

  test('a numbered invoice has the date of its number, frozen parties and a pending registration', () => {
    expect(inState('submitting')).toMatchObject({
      status: 'submitting',
      content: { issue_date: '2026-01-16' },
      issue: { number: 'INV-2026-000001', seq: 1 },
      round: 1,
      parties,
      fiscal: { authority: 'sandbox', status: 'pending', attempts: 0 },
    });
  });

  test('a date refused by the series returns the invoice to a draft with the reason', () => {
    const { status, content } = inState('draft');
    expect(after('being numbered', commands['refuse number'])).toMatchObject({ status, content, refused: { issue_date: ['is before'] } });
  });

  test('a failed invoice keeps its number in the second round, and counts attempts on', () => {
    const again = after('submitting again', commands['register round 2']);
    expect(again).toMatchObject({
      status: 'submitted',
      round: 2,
      issue: { seq: 1 },
      fiscal: { code: 'F-1', error: null, status: 'registered' },
    });
    expect(inState('submitting again')).toMatchObject({ fiscal: { status: 'pending', attempts: 1, error: null } });
  });

  test('an amendment replaces the warnings, and leaves code, status and a request to void; repeated, or with the same warnings, it changes nothing', () => {
    const warned = after('voiding', commands.amend);
    expect(warned).toMatchObject({
      status: 'voiding',
      fiscal: { status: 'registered', code: 'F-1', attempts: 3, warnings: [{ code: '2004' }] },
      refused_before: null,
    });
    expect(decide(commands.amend, warned)).toEqual([]);
    const same = { ...commands.amend, amendment: { ...commands.amend.amendment, attempts: 4 } };
    expect(decide(same, warned)).toEqual([]);
    const { warnings: _, ...mended } = same.amendment;
    const [event] = decide({ ...same, amendment: mended }, warned);
    expect(invoiceDecider.evolve(warned, event!)).not.toHaveProperty('fiscal.warnings');
  });

  test('a refused void leaves the registration as it was', () => {
    const refused = inState('void refused');
    expect(refused).toMatchObject({
      status: 'submitted',
      fiscal: { status: 'registered', code: 'F-1', attempts: 2 },
      void: { reason: 'entered twice', voided_at: null, refused: { code: 'V1' } },
    });
  });

  test('a refusal of the later request ends it, whatever its timestamp', () => {
    const later = { ...commands['refuse void'], refusal: refusal(7) };
    expect(after('voiding again', later).status).toBe('submitted');
  });

  test('a voided invoice keeps number, code and totals', () => {
    expect(inState('voided')).toMatchObject({
      status: 'voided',
      issue: { number: 'INV-2026-000001' },
      fiscal: { status: 'cancelled', code: 'F-1', attempts: 2 },
      totals: { total: '120' },
      void: { reason: 'entered twice', refused: null },
    });
    expect(inState('voided after failure')).toMatchObject({ fiscal: { status: 'rejected', code: null } });
    expect(inState('voided draft')).toMatchObject({ issue: null });
  });

  test.each([
    ['draft', ['update', 'submit', 'void']],
    ['being numbered', []],
    ['submitting', []],
    ['submitting, unknown', ['resolve']],
    ['submitting, review', ['resolve']],
    ['failed', ['update', 'submit', 'void']],
    ['submitted', ['void', 'record_payment']],
    ['paid', ['record_payment']],
    ['voiding', []],
    ['voided', []],
  ] as const)('available in %s', (name, actions) => expect(availableActions(inState(name))).toEqual(actions));

  test('an invalid_state error names the status and the available actions', () => {
    const message = (name: StateName, command: CommandName): string => {
      try {
        decide(commands[command], inState(name));
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message('submitting, unknown', 'void')).toMatch(/submitting.*resolve/);
    expect(message('being numbered', 'PATCH notes')).toContain('submitting');
    expect(message('voided', 'submit')).toContain('voided');
    expect(message('paid', 'void')).toMatch(/Reverse the payments or issue a credit note/);
  });
});

describe('due dates before the issue date', () => {
  const dated = { issue_date: '2026-01-10', due_date: '2026-01-09' };
  /** Stored before dates were compared. */
  const stored = (state: InvoiceState): InvoiceState => ({ ...state, content: { ...state.content, ...dated } }) as InvoiceState;
  const problem = 'validation_error due_date';

  test.each(['draft', 'failed'] as const)('are judged at submission where they are stored: %s', (status) => {
    expect(outcomeOf(invoiceDecider, commands.submit, stored(inState(status)))).toBe(problem);
  });

  test('do not keep a draft from other changes, and are judged when one of both dates changes', () => {
    const revise = (body: object) => outcomeOf(invoiceDecider, { ...commands['PATCH notes'], body }, stored(inState('draft')));
    expect(revise({ notes: 'other' })).not.toBe(problem);
    expect(revise({ notes: 'other', ...dated })).not.toBe(problem);
    expect(revise({ due_date: '2026-01-08' })).toBe(problem);
    expect(revise({ issue_date: '2026-01-11' })).toBe(problem);
    expect(revise({ due_date: '2026-01-10' })).not.toBe(problem);
    expect(revise({ issue_date: null })).not.toBe(problem);
  });
});

describe('submission is rejected before a number is taken', () => {
  const bare = [{ unit_price: 1 }, { description: 'x', unit_price: 1 }, { unit_price: 2 }];
  const draft = fold(eventsOf([], { ...create, body: { ...body, items: bare } }));
  const submit = (over: object): InvoiceCommand => ({ ...commands.submit, preconditions: { ...submissionPreconditions, ...over } });

  test('without descriptions, customer or authority: all are named', () => {
    expect(
      outcomeOf(
        invoiceDecider,
        submit({ customer: undefined, issuer: undefined, missing: { 'issuer.authority': ['is not set.'] } }),
        draft,
      ),
    ).toBe('validation_error items.0.description items.2.description customer_id issuer.authority');
  });

  test('where the series cannot accept its date', () => {
    const numbering = invalid({ issue_date: ['is before'] });
    expect(outcomeOf(invoiceDecider, submit({ numbering }), inState('draft'))).toBe('validation_error issue_date');
  });

  test('with a total below 0, which is a credit note; 0 is issued', () => {
    const over = (quantity: number, unit_price: number) =>
      fold(eventsOf([], { ...create, body: { ...body, items: [{ description: 'x', quantity, unit_price }] } }));
    expect(outcomeOf(invoiceDecider, commands.submit, over(-1, 0.01))).toBe('validation_error items');
    expect(outcomeOf(invoiceDecider, commands.submit, over(-1, 0))).toBe('InvoiceSubmissionRequested');
  });

  test('with a simulation that release 0.1.0 took and the sandbox does not know; in live it is plain metadata', () => {
    const drafted = (livemode: boolean) => fold(eventsOf([], { ...create, livemode, body: { ...body, metadata: { simulate: 'acept' } } }));
    expect(outcomeOf(invoiceDecider, commands.submit, drafted(false))).toBe('validation_error metadata.simulate');
    expect(outcomeOf(invoiceDecider, commands.submit, drafted(true))).toBe('InvoiceSubmissionRequested');
  });

  test('the second round has the same checks, except the number', () => {
    expect(outcomeOf(invoiceDecider, submit({ customer: undefined, numbering: null }), inState('failed'))).toBe(
      'validation_error customer_id',
    );
    expect(outcomeOf(invoiceDecider, submit({ numbering: null }), inState('failed'))).toBe('InvoiceResubmitted');
  });

  test('the numbering request is recorded', () => {
    const [event] = decide({ ...commands.submit, late_reason: 'no power' }, inState('draft'));
    const { id, language, ...personal } = parties.customer;
    const named = { issuer: parties.issuer, customer: { id, language } };
    expect(event?.data).toMatchObject({ numbering, parties: named, personal, late_reason: 'no power' });
    expect(inState('being numbered')).not.toHaveProperty('personal');
  });
});

describe('an invoice whose totals were calculated under the rules of an earlier release', () => {
  const taxes = [{ category: 'IGIC', rate: '7', code: 'S' as const, retained: false }];
  const inclusive = { ...create, body: { ...body, prices_include_tax: true, items: [{ description: 'Tour', unit_price: '107', taxes }] } };
  /** That release added IGIC to inclusive prices. */
  const totals: Totals = {
    lines: [{ amount: '107', discount_amount: '0', charge_amount: '0' }],
    ...{ subtotal: '107', discount_total: '0', charge_total: '0', tax_total: '7.49', retained_total: '0', total: '114.49' },
    tax_breakdown: [{ category: 'IGIC', code: 'S', rate: '7', retained: false, base: '107', amount: '7.49' }],
  };
  const [drafted] = eventsOf([], inclusive) as [Extract<InvoiceEvent, { type: 'InvoiceDrafted' }>];
  const draft: InvoiceEvent = { ...drafted, data: { ...drafted.data, totals } };
  /** Issued by that release, without a check by today's rules. */
  const issued = (names: readonly CommandName[]): InvoiceState => fold([draft, ...eventsOf(names).slice(1)])!;

  test.each([
    ['submitting', ways.submitting],
    ['submitted', ways.submitted],
    ['voided', ways.voided],
    ['failed', ways.failed],
  ])('keeps them when its metadata changes: %s', (_status, names) => {
    const before = issued(names);
    const [event, ...more] = decide(commands['PATCH metadata'], before);
    expect([event?.type, more, before.totals]).toEqual(['InvoiceRevised', [], totals]);
    expect(fold([draft, ...eventsOf(names).slice(1), event!])!.totals).toEqual(totals);
  });

  test('keeps them as a draft until a field that they depend on changes', () => {
    const state = fold([draft])!;
    const revise = (change: UpdateInvoice) => decide({ type: 'revise', at, body: change, preconditions }, state);
    expect(revise({ notes: 'n' })).toEqual([{ type: 'InvoiceRevised', data: { at, changes: { notes: 'n' } } }]);
    expect(revise({ items: inclusive.body.items })).toEqual([]);
    const [event] = revise({ items: [{ ...inclusive.body.items[0], unit_price: '214' }] });
    expect(event).toMatchObject({ type: 'InvoiceRevised', data: { totals: { subtotal: '200', tax_total: '14', total: '214' } } });
  });

  test("is issued with totals by today's rules", () => {
    const events = decide(commands.submit, fold([draft]));
    expect(events.map(({ type }) => type)).toEqual(['InvoiceRevised', 'InvoiceSubmissionRequested']);
    expect(fold([draft, ...events])!.totals).toMatchObject({ subtotal: '100', tax_total: '7', total: '107' });
  });

  test("is not issued and takes no number where today's rules reject it", () => {
    const content = {
      ...drafted.data.content,
      items: [{ ...drafted.data.content.items[0]!, taxes: [{ ...taxes[0]!, category: 'VAT', code: 'Z' as const }] }],
    };
    const state = fold([{ ...drafted, data: { ...drafted.data, totals, content } }])!;
    expect(outcomeOf(invoiceDecider, commands.submit, state)).toBe('validation_error items.0.taxes.0.code');
  });
});
