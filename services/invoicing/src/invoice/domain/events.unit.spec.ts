import type { Recorded } from '@svc/kernel';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { at, customer, commands, create, eventsOf, fold, id, numbering, parties, recordedOn, taken } from './testing/samples.ts';
import type { InvoiceState } from './state.ts';
import { invoiceEvents } from './events.ts';

/** As the first release wrote it: the customer in clear with the request, and no parties with the number. */
const requested = { type: 'InvoiceSubmissionRequested', data: { at, numbering, parties, late_reason: 'no power' } };
const refused = { type: 'InvoiceSubmissionRefused', data: { at, details: { issue_date: ['is before'] } } };
const { document: _, ...issue } = taken;
const numbered = { type: 'InvoiceNumbered', data: { at, ...issue } };

const stored = (...events: { type: string; data: object }[]): Recorded[] =>
  [...decide(create, null), ...events].map(recordedOn(`invoice-test.acct_1.${id}`, {}));
const stateOf = (...events: { type: string; data: object }[]): InvoiceState =>
  stored(...events).reduce<InvoiceState | null>((state, recorded) => evolve(state, invoiceEvents.decode(recorded)), null)!;

test('an invoice numbered by the first release has its parties and late reason', () => {
  expect(stateOf(requested, numbered)).toEqual({ ...fold(eventsOf(['submit', 'number']))!, late_reason: 'no power' });
});

test('an invoice whose number the first release requested gets it with all parties from this release', () => {
  const state = stateOf(requested);
  expect(state).toMatchObject({ status: 'being_numbered', request: 1, parties: { customer }, earlier_release: true });
  expect(fold(eventsOf(['submit']))).not.toHaveProperty('earlier_release');
  expect(decide(commands.number, state).reduce<InvoiceState | null>(evolve, state)).toMatchObject({ status: 'submitting', parties });
});

test('the releases are distinguished by the stored version, not by the fields', () => {
  const decoded = (v: number, data: object) =>
    invoiceEvents.decode(recordedOn(`invoice-test.acct_1.${id}`, { InvoiceSubmissionRequested: v })({ ...requested, data }, 1));
  const asked = (v: number, data: object) => evolve(fold([...decide(create, null)]), decoded(v, data));
  expect(asked(2, requested.data)).not.toHaveProperty('earlier_release');
  expect(asked(1, { ...requested.data, personal: null })).toHaveProperty('earlier_release', true);
});

test('requests are counted, whichever release stored them', () => {
  expect(stateOf(requested, refused, requested)).toMatchObject({ status: 'being_numbered', request: 2 });
  expect(decide(commands['refuse number'], stateOf(requested, refused, requested))).toEqual([]);
});
