import { invoiceActions, type InvoiceAction } from '@svc/contracts/invoice/vocabulary';
import { DomainError } from '@svc/kernel';
import fc from 'fast-check';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import { availableActions, shownReasons, unavailableActions } from './actions.ts';
import { decide, type InvoiceCommand } from './decide.ts';
import { evolve } from './evolve.ts';
import { MOST_PAYMENTS } from './payments.ts';
import { at, commands, create, customerId, fold, inState, payment, type CommandName } from './testing/samples.ts';
import type { InvoiceEvent } from './events.ts';
import type { InvoiceState } from './state.ts';

/** A credit note that asks for the room of the invoice. */
const note = (document: string, attempt: number): InvoiceCommand => ({
  ...{ type: 'reserve_correction', at, attempt, isFull: false },
  note: {
    id: document,
    content: { ...inState('submitted').content, type: 'credit_note', customer_id: customerId },
    totals: inState('submitted').totals,
  },
});
const noted = 'inv_01jh2k3m4n5p6q7r8s9t0v1w2y';
const around = {
  ...commands,
  'pay little': {
    type: 'record_payment',
    at,
    payment: { ...payment, id: `${payment.id.slice(0, -1)}a`, amount: '1' },
    today: '2026-01-16',
  },
  'pay all': { type: 'record_payment', at, payment: { ...payment, id: `${payment.id.slice(0, -1)}b`, amount: '100' }, today: '2026-01-16' },
  credit: note(noted, 1),
  'credit registered': { type: 'apply_correction', at, document: noted, attempt: 1 },
  'credit rejected': { type: 'release_correction', at, document: noted, attempt: 1 },
} satisfies Record<string, InvoiceCommand>;
type Name = keyof typeof around;

/** What a caller sends for each action. A resolution is decided where the submission is. */
const asking: Record<Exclude<InvoiceAction, 'resolve'>, InvoiceCommand> = {
  update: { ...commands['PATCH notes'], body: { notes: 'another' } },
  submit: commands.submit,
  void: commands.void,
  record_payment: { ...commands.pay, payment: { ...payment, id: `${payment.id.slice(0, -1)}c`, amount: '0.01' } },
};

/** A repeated submission or void is answered with the document. */
const REPEATED: Partial<Record<InvoiceState['status'], InvoiceAction>> = {
  ...{ being_numbered: 'submit', being_resubmitted: 'submit', submitting: 'submit', submitted: 'submit' },
  ...{ voiding: 'void', voided: 'void' },
};

function answerTo(command: InvoiceCommand, state: InvoiceState): string {
  try {
    return decide(command, state).length > 0 ? 'taken' : 'nothing';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code;
  }
}

function check(state: InvoiceState): void {
  const [offered, unavailable] = [availableActions(state), unavailableActions(state)];
  for (const action of invoiceActions) expect([action, offered.includes(action)]).toEqual([action, unavailable[action] === undefined]);
  for (const why of Object.values(unavailable)) expect(why).toMatch(/^[A-Z].*\.$/);
  expect(offered.includes('resolve')).toBe(state.status === 'submitting' && isInDoubt(state.fiscal));
  for (const [action, command] of Object.entries(asking) as [keyof typeof asking, InvoiceCommand][]) {
    const isPaid = action === 'record_payment' && state.status === 'submitted' && unavailable[action] === 'Nothing is due.';
    const refused = REPEATED[state.status] === action ? 'nothing' : isPaid ? 'validation_error' : 'invalid_state';
    expect([state.status, action, answerTo(command, state)]).toEqual([state.status, action, offered.includes(action) ? 'taken' : refused]);
  }
}

test('for every order of commands, what is offered is accepted and what is not offered is refused', () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(around) as Name[])), { maxLength: 40 });
  fc.assert(
    fc.property(names, (sent) => {
      const events: InvoiceEvent[] = [];
      let state = null as InvoiceState | null;
      for (const command of [create, ...sent.map((name): InvoiceCommand => around[name])]) {
        try {
          events.push(...decide(command, state));
        } catch (error) {
          if (!(error instanceof DomainError) && !(error instanceof TypeError)) throw error;
        }
        state = fold(events);
        check(state as InvoiceState);
      }
    }),
    { numRuns: 300 },
  );
});

const after = (...names: Name[]): InvoiceState => {
  const events: InvoiceEvent[] = [];
  for (const command of [create, ...names.map((name): InvoiceCommand => around[name])]) events.push(...decide(command, fold(events)));
  return fold(events) as InvoiceState;
};
const submitted: CommandName[] = ['submit', 'number', 'register'];

test.each<[string, Name[], InvoiceAction, string | undefined]>([
  ['a part-paid invoice', [...submitted, 'pay'], 'void', 'Reverse the payments'],
  ['one whose payment is reversed', [...submitted, 'pay', 'reverse'], 'void', undefined],
  ['one with a credit note on its way', [...submitted, 'credit'], 'void', 'credit note or corrective'],
  ['one with a credit note', [...submitted, 'credit', 'credit registered'], 'void', 'credit note or corrective'],
  ['one whose credit note is rejected', [...submitted, 'credit', 'credit rejected'], 'void', undefined],
  ['a credited one', [...submitted, 'credit', 'credit registered'], 'record_payment', 'Nothing is due'],
  ['a submitted one', submitted, 'update', 'credit note or a corrective'],
  ['a draft', [], 'record_payment', 'Submit it first'],
])('%s: %4$s of %3$s', (_, names, action, why) => {
  const found = unavailableActions(after(...names))[action];
  if (why === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(why);
});

test.each<[string, Name[], InvoiceAction[]]>([
  ['a draft', [], []],
  ['a submitted one', submitted, []],
  ['a part-paid invoice', [...submitted, 'pay'], ['void']],
  ['a credited one', [...submitted, 'credit', 'credit registered'], ['void', 'record_payment']],
])('%s shows the reasons that do not follow from its status', (_, names, actions) => {
  const state = after(...names);
  const [shown, all] = [shownReasons(state), unavailableActions(state)];
  if (actions.length === 0) expect(shown).toBeUndefined();
  else expect(shown).toEqual(Object.fromEntries(actions.map((action) => [action, all[action]])));
});

test('an invoice with as many payments as there may be takes no more', () => {
  let state = after(...submitted);
  for (let n = 0; n < MOST_PAYMENTS; n += 1) {
    check(state);
    const one = { ...payment, id: `pay_${String(n).padStart(26, '0')}`, amount: '0.01' };
    state = decide({ ...commands.pay, payment: one }, state).reduce<InvoiceState | null>(evolve, state) as InvoiceState;
  }
  check(state);
  expect(availableActions(state)).toEqual([]);
});
