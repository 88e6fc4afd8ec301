import { invalid } from '@svc/kernel';
import { issuer, outcomeOf, parties, refusal } from '../../invoice/domain/testing/samples.ts';
import { availableActions, shownReasons } from './actions.ts';
import { decide, receiptDecider, type ReceiptCommand } from './decide.ts';
import {
  commands,
  create,
  eventsOf,
  fold,
  inState,
  taken,
  preconditions,
  ways,
  type CommandName,
  type StateName,
} from './testing/samples.ts';
import type { NumberedReceipt } from './state.ts';

const locked = 'invalid_state';
const underWay = { register: 'ReceiptRegistered', 'reject: data': 'ReceiptRejected', 'reject: setup': 'ReceiptRejected' };
const rejectedAway = 'ReceiptRejected + ReceiptVoided';
/** The result of each command in each state; nothing where none is named. */
const table: Record<StateName, Partial<Record<CommandName, string>>> = {
  issued: { ...underWay, void: 'ReceiptVoidRequested', 'delay: unknown': 'ReceiptDelayed', 'delay: review': 'ReceiptDelayed' },
  unknown: { ...underWay, void: 'ReceiptVoidRequested', 'delay: review': 'ReceiptDelayed' },
  review: { ...underWay, void: 'ReceiptVoidRequested' },
  registered: { amend: 'ReceiptAmended', resubmit: locked, void: 'ReceiptVoidRequested' },
  'rejected for data': { resubmit: locked, void: 'ReceiptVoided' },
  'rejected for setup': { resubmit: 'ReceiptResubmitted', void: 'ReceiptVoided' },
  'issued again': { void: 'ReceiptVoidRequested', 'register round 2': 'ReceiptRegistered' },
  'void requested': {
    resubmit: locked,
    register: 'ReceiptRegistered',
    'reject: data': rejectedAway,
    'reject: setup': rejectedAway,
    'delay: unknown': 'ReceiptDelayed',
    'delay: review': 'ReceiptDelayed',
  },
  'void requested, review': {
    resubmit: locked,
    register: 'ReceiptRegistered',
    'reject: data': rejectedAway,
    'reject: setup': rejectedAway,
  },
  voiding: { amend: 'ReceiptAmended', resubmit: locked, cancel: 'ReceiptVoided', 'refuse void': 'ReceiptVoidRefused' },
  'voiding as requested': { amend: 'ReceiptAmended', resubmit: locked, cancel: 'ReceiptVoided', 'refuse void': 'ReceiptVoidRefused' },
  'void refused': { amend: 'ReceiptAmended', resubmit: locked, void: 'ReceiptVoidRequested' },
  // The refusal belongs to the first request; repeated, it does not affect the second.
  'voiding again': { amend: 'ReceiptAmended', resubmit: locked, cancel: 'ReceiptVoided' },
  voided: { resubmit: locked },
  'void without registration': { resubmit: locked },
};

describe.each(Object.keys(ways) as StateName[])('%s', (name) => {
  test.each(Object.keys(commands) as CommandName[])('%s', (command) => {
    expect(outcomeOf(receiptDecider, commands[command], inState(name))).toBe(table[name][command] ?? 'nothing');
  });
});

const seen = (name: StateName): NumberedReceipt => inState(name) as NumberedReceipt;

describe('creation', () => {
  test('refuses a total below 0, and takes 0', () => {
    const of = (quantity: number) => () =>
      decide(
        {
          ...create,
          body: {
            ...create.body,
            items: [
              { description: 'Cup', unit_price: 2, quantity },
              { description: 'Coffee', unit_price: 2 },
            ],
          },
        },
        null,
      );
    expect(of(-2)).toThrow(expect.objectContaining({ code: 'validation_error', details: { items: [expect.stringContaining('-2')] } }));
    expect(of(-1)()).toMatchObject([{ type: 'ReceiptRequested', data: { totals: { total: '0' } } }]);
  });

  test('requests the number first; the numbered receipt holds everything that was requested', () => {
    const [requested, issued] = eventsOf(['number']);
    expect([requested?.type, issued?.type]).toEqual(['ReceiptRequested', 'ReceiptIssued']);
    const { series_key, first_seq, ...numbered } = inState('issued') as NumberedReceipt;
    expect([fold([issued!]), series_key, first_seq]).toEqual([numbered, 'INV.2026', 1]);
    expect(inState('issued')).toMatchObject({
      status: 'issued',
      created_at: taken.issued_at,
      issue: { number: taken.number, issue_date: '2026-01-16' },
      content: { prices_include_tax: true, payment_method: 'cash', payments: [{ method: 'cash', amount: '12' }], series: 'RCP' },
      totals: { total: '12', tax_total: '2', subtotal: '10' },
      parties: { customer: null },
      fiscal: { status: 'pending', authority: 'sandbox' },
    });
  });

  test('is created with its number, or when it is finished where that was more than a second later', () => {
    const createdAt = (numbered: string, finished: string): unknown => {
      const [event] = decide({ ...commands.number, at: finished, taken: { ...taken, issued_at: numbered } }, fold(eventsOf([])));
      return (event?.data as { created_at?: string }).created_at;
    };
    expect(createdAt('2026-01-16T12:00:01.000Z', '2026-01-16T12:00:02.000Z')).toBe('2026-01-16T12:00:01.000Z');
    expect(createdAt('2026-01-16T12:00:01.000Z', '2026-01-16T12:00:02.001Z')).toBe('2026-01-16T12:00:02.001Z');
    expect(createdAt('2026-01-16T12:00:05.000Z', '2026-01-16T12:00:02.000Z')).toBe('2026-01-16T12:00:05.000Z');
  });

  test('repeating the command appends nothing and assigns no second number', () => {
    expect(decide(create, fold(eventsOf([])))).toEqual([]);
    expect(decide({ ...commands.number, taken: { ...taken, number: 'RCP-2026-000002' } }, inState('issued'))).toEqual([]);
  });

  const refused = (body: object, over: object = {}): string =>
    outcomeOf(receiptDecider, { ...create, body: { ...create.body, ...body }, preconditions: { ...preconditions, ...over } }, null);
  const bare = { payment_method: undefined };
  const placed = {
    issuer: { ...preconditions.issuer, units: [{ code: 'U1', address: null, devices: ['D1'] }], operators: [{ code: 'O1', name: 'Ana' }] },
  };

  test.each([
    [{ items: [{ unit_price: 1 }] }, {}, 'validation_error items.0.description'],
    [{ customer_id: 'cust_1' }, {}, 'validation_error customer_id'],
    [{}, { issuer: { ...preconditions.issuer, authority: null } }, 'validation_error issuer.authority'],
    [{}, { numbering: invalid({ unit: ['is needed'] }) }, 'validation_error unit'],
    [bare, {}, 'validation_error payment_method'],
    [{ ...bare, payments: [{ method: 'cash', amount: 11.99 }] }, {}, 'validation_error payments'],
    [
      {
        ...bare,
        payments: [
          { method: 'cash', amount: '6.001' },
          { method: 'card', amount: '5.999' },
        ],
      },
      {},
      'validation_error payments.0.amount payments.1.amount',
    ],
    [{ unit: 'U2' }, placed, 'validation_error unit'],
    [{ device: 'D2' }, placed, 'validation_error device'],
    [{ operator: 'O2' }, placed, 'validation_error operator'],
  ])('%j is rejected', (body, over, outcome) => expect(refused(body, over)).toBe(outcome));

  test('accepts payments that add up, and defaults to the issuer’s first unit, device and operator', () => {
    const payments = [
      { method: 'cash' as const, amount: 5 },
      { method: 'card' as const, amount: '7.00' },
    ];
    const made = decide(
      { ...create, body: { items: create.body.items, payments }, preconditions: { ...preconditions, ...placed } },
      null,
    )[0];
    expect(made?.data).toMatchObject({
      content: {
        unit: 'U1',
        device: 'D1',
        operator: 'O1',
        payment_method: null,
        payments: [
          { method: 'cash', amount: '5' },
          { method: 'card', amount: '7' },
        ],
      },
    });
  });
});

describe('effects', () => {
  test('a void requested before the outcome cancels a registered receipt and voids a rejected one', () => {
    expect(inState('voiding as requested')).toMatchObject({ status: 'voiding', fiscal: { status: 'registered', code: 'F-1' } });
    expect(inState('void without registration')).toMatchObject({
      status: 'voided',
      fiscal: { status: 'rejected' },
      void: { reason: 'wrong till', voided_at: create.at },
    });
  });

  test('a refused void leaves it issued and registered', () => {
    expect(inState('void refused')).toMatchObject({
      status: 'issued',
      fiscal: { status: 'registered', code: 'F-1' },
      void: { refused: { code: 'V1' } },
    });
    const later: ReceiptCommand = { ...commands['refuse void'], refusal: refusal(7) };
    expect(outcomeOf(receiptDecider, later, inState('voiding again'))).toBe('ReceiptVoidRefused');
  });

  test('resubmission needs an authority', () => {
    expect(outcomeOf(receiptDecider, { ...commands.resubmit, issuer: { ...issuer, authority: null } }, inState('rejected for setup'))).toBe(
      'validation_error issuer.authority',
    );
  });

  test('resubmission judges the customer that the receipt is to', () => {
    const state = inState('rejected for setup') as NumberedReceipt;
    const exported = state.content.items.map((item) => ({
      ...item,
      taxes: item.taxes.map((tax) => ({ ...tax, code: 'G' as const, rate: '0' })),
    }));
    const abroad = { ...parties.customer, tax_id: 'RS123' };
    const montenegrin = { ...issuer, authority: 'me-efi' as const, country: 'ME', currency: 'EUR' };
    const problemsFor = (customer: typeof abroad): string =>
      outcomeOf(
        receiptDecider,
        { ...commands.resubmit, issuer: montenegrin },
        { ...state, content: { ...state.content, items: exported }, parties: { ...state.parties, customer } },
      );
    expect(problemsFor({ ...abroad, tax_id: null as never })).toContain('customer_id');
    expect(problemsFor(abroad)).not.toContain('customer_id');
  });

  test.each([
    ['issued', ['void']],
    ['unknown', ['void', 'resolve']],
    ['review', ['void', 'resolve']],
    ['registered', ['void']],
    ['rejected for data', ['void']],
    ['rejected for setup', ['resubmit', 'void']],
    ['void requested, review', ['resolve']],
    ['voiding', []],
    ['voided', []],
  ] as const)('available when %s', (name, actions) => expect(availableActions(seen(name))).toEqual(actions));

  test('what was rejected for its data says so, and nothing else does', () => {
    expect(shownReasons(seen('rejected for data'))).toEqual({ resubmit: 'It was rejected for its data. Void it and issue it anew.' });
    for (const name of ['issued', 'registered', 'rejected for setup', 'voided'] as const) expect(shownReasons(seen(name))).toBeUndefined();
  });
});
