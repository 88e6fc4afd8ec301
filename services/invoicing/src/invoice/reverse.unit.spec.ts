import { DomainError, invalid } from '@svc/kernel';
import { parseEvent } from '@svc/contracts/testing/parse';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import { invoicePublisher, invoices } from './invoices.ts';
import { invoiceDecider, type InvoiceCommand } from './domain/decide.ts';
import type { InvoiceEvent } from './domain/events.ts';
import type { InvoiceState } from './domain/state.ts';
import {
  account,
  at,
  commands,
  create,
  customerId,
  fold,
  id,
  numbering,
  outcomeOf,
  parties as french,
  recordedOn,
  rejection,
  submissionPreconditions,
  taken,
} from './domain/testing/samples.ts';

/** A void in a country whose authority annuls nothing: of the invoice (`id`) by the corrective (`other`). */
const parties = { ...french, issuer: { ...french.issuer, country: 'AL' } };
const [other, another] = ['inv_01jh2k3m4n5p6q7r8s9t0v1w2y', 'inv_01jh2k3m4n5p6q7r8s9t0v1w2z'];
const reversal = { document: other, numbering: { ...numbering, series: 'COR' } };
const requestVoid = { type: 'void' as const, at, reason: 'Wrong customer', reversal };
const ended = (document: string, error: { code: string; message: string } | null = null) => ({
  type: 'end_reversal' as const,
  at,
  document,
  ...(error ? { error } : { error, issue_date: taken.issue_date }),
});
const submit = {
  ...commands.submit,
  preconditions: { ...submissionPreconditions, issuer: parties.issuer, numbering: { ...numbering, format: '{seq}/{year}' } },
};
const number = { ...commands.number, parties };

const after = (...given: InvoiceCommand[]): InvoiceEvent[] =>
  given.reduce<InvoiceEvent[]>((events, command) => [...events, ...invoiceDecider.decide(command, fold(events))], []);
const registered = [create, submit, number, commands.register];
const stateAfter = (...given: InvoiceCommand[]): InvoiceState => fold(after(...given)) as InvoiceState;
const voiding = stateAfter(...registered, requestVoid);
const reverse = { type: 'reverse', at, original: voiding } as InvoiceCommand;
const numberCorrective = { ...number, taken: { ...taken, document: other, number: 'COR-2026-000001' } };

const when = (command: InvoiceCommand, ...given: InvoiceCommand[]): string => outcomeOf(invoiceDecider, command, fold(after(...given)));

describe('the invoice that is voided', () => {
  test.each<[string, InvoiceCommand[], InvoiceCommand, string]>([
    ['registered: a void', registered, requestVoid, 'InvoiceReversalRequested'],
    [
      'registered: a void whose series takes no number',
      registered,
      { ...requestVoid, reversal: { ...reversal, numbering: invalid({ series: ['x'] }) } },
      'validation_error series',
    ],
    ['rejected: a void', [create, submit, number, commands.reject], requestVoid, 'InvoiceVoided'],
    ['voiding: another void', [...registered, requestVoid], { ...requestVoid, reversal: { ...reversal, document: another } }, 'nothing'],
    ['voiding: an annulment that nobody asked for', [...registered, requestVoid], commands.cancel, 'nothing'],
    ['voiding: the refusal of an annulment', [...registered, requestVoid], commands['refuse void'], 'nothing'],
    ['voiding: a payment', [...registered, requestVoid], commands.pay, 'invalid_state'],
    ['voiding: the corrective is registered', [...registered, requestVoid], ended(other), 'InvoiceVoided'],
    [
      'voiding: the corrective is rejected',
      [...registered, requestVoid],
      ended(other, { code: 'E1', message: 'no' }),
      'InvoiceReversalRefused',
    ],
    ['voiding: another corrective is registered', [...registered, requestVoid], ended(another), 'nothing'],
    ['voided: the corrective is registered, again', [...registered, requestVoid, ended(other)], ended(other), 'nothing'],
    [
      'refused: the corrective is registered after all',
      [...registered, requestVoid, ended(other, { code: 'E1', message: 'no' })],
      ended(other),
      'nothing',
    ],
    [
      'refused: another void',
      [...registered, requestVoid, ended(other, { code: 'E1', message: 'no' })],
      { ...requestVoid, reversal: { ...reversal, document: another } },
      'InvoiceReversalRequested',
    ],
  ])('%s', (_, given, command, then) => expect(when(command, ...given)).toBe(then));

  test('keeps its registration when it is void, and the error when it is not', () => {
    expect(stateAfter(...registered, requestVoid, ended(other))).toMatchObject({ status: 'voided', fiscal: { status: 'registered' } });
    const refused = stateAfter(...registered, requestVoid, ended(other, { code: 'E1', message: 'no' }));
    expect(refused).toMatchObject({ status: 'submitted', void: { document: other, refused: { code: 'E1', message: 'no' } } });
    expect(refused).not.toHaveProperty('numbering');
  });

  test('was registered where authorities annul: an annulment is asked for', () => {
    expect(when(requestVoid, create, commands.submit, commands.number, commands.register)).toBe('InvoiceVoidRequested');
  });
});

describe('the corrective', () => {
  test('negates the original, with its parties, and asks for its number at once', () => {
    expect(after(reverse)).toMatchObject([
      {
        type: 'InvoiceReversalDrafted',
        data: {
          ...{
            id: other,
            livemode: false,
            content: { type: 'corrective', corrects: id, customer_id: customerId, series: 'COR', issue_date: null },
          },
          totals: { total: `-${voiding.totals.total}` },
        },
      },
      { type: 'InvoiceSubmissionRequested', data: { parties, numbering: reversal.numbering } },
    ]);
  });

  test.each<[string, InvoiceCommand[], InvoiceCommand, string]>([
    ['is made once', [reverse], reverse, 'nothing'],
    ['being numbered: a void', [reverse], requestVoid, 'invalid_state'],
    ['being numbered: no number', [reverse], commands['refuse number'], 'InvoiceSubmissionRefused + InvoiceVoided'],
    ['pending: a void', [reverse, numberCorrective], requestVoid, 'invalid_state'],
    ['pending: metadata', [reverse, numberCorrective], commands['PATCH metadata'], 'InvoiceRevised'],
    ['registered: a void', [reverse, numberCorrective, commands.register], requestVoid, 'invalid_state'],
    ['registered: a payment', [reverse, numberCorrective, commands.register], commands.pay, 'invalid_state'],
    ['registered: notes', [reverse, numberCorrective, commands.register], commands['PATCH notes'], 'invalid_state'],
    ['rejected: a void', [reverse, numberCorrective, commands.reject], requestVoid, 'invalid_state'],
    ['rejected: submission', [reverse, numberCorrective, commands.reject], submit, 'invalid_state'],
    ['rejected: notes', [reverse, numberCorrective, commands.reject], commands['PATCH notes'], 'invalid_state'],
  ])('%s', (_, given, command, then) => expect(when(command, ...given)).toBe(then));

  test('tells its original what becomes of it', () => {
    for (const outcome of [commands.register, { ...commands.reject, rejection }])
      expect(after(reverse, numberCorrective, outcome).at(-1)?.data).toMatchObject({ corrects: id });
    expect(after(reverse, commands['refuse number']).map(({ data }) => (data as { corrects?: string }).corrects)).toEqual([
      undefined,
      undefined,
      id,
      id,
    ]);
  });

  test('says why it cannot be changed', () => {
    const refused = () => invoiceDecider.decide(requestVoid, stateAfter(reverse, numberCorrective, commands.register));
    expect(refused).toThrow(DomainError);
    expect(refused).toThrow('It carries out the void of the invoice that it corrects');
  });
});

describe('public events', () => {
  /** The types of each event's public events, each checked against its contract. */
  function publishedBy(of: string, events: InvoiceEvent[]) {
    let state: InvoiceState | null = null;
    return events.map(recordedOn(invoices.stream({ account, env: 'test', id: of }))).flatMap((event) => {
      state = invoicePublisher.evolve(state, event);
      return publicEvents('invoicing', event, invoicePublisher.publish(event, state)).map((one) => parseEvent(JSON.stringify(one)));
    });
  }
  const typesOf = (of: string, events: InvoiceEvent[]): string[] => publishedBy(of, events).map(({ type }) => type.split('.')[1] as string);

  test('the invoice asks for no annulment', () => {
    expect(typesOf(id, after(...registered, requestVoid, ended(other))).slice(-2)).toEqual(['invoice-updated', 'invoice-voided']);
    const refused = after(...registered, requestVoid, ended(other, { code: 'E1', message: 'no' }));
    expect(typesOf(id, refused).slice(-2)).toEqual(['invoice-updated', 'invoice-updated']);
  });

  test('the corrective is registered like any invoice, and names what it corrects', () => {
    const events = publishedBy(other, after(reverse, numberCorrective, commands.register));
    expect(events.map(({ type }) => type.split('.')[1])).toEqual([
      'invoice-created',
      'invoice-updated',
      'registration-requested',
      'invoice-submitted',
    ]);
    expect(events[2]?.data).toMatchObject({ document_id: other, round: 1, document: { type: 'corrective', corrects: id, voids: id } });
  });
});
