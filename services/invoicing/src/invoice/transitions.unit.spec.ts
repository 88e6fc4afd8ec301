import { invoiceTransitions } from '@svc/contracts/invoice/vocabulary';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import { publicStatus } from './domain/actions.ts';
import type { InvoiceEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import { account, eventsOf, id, recordedOn, ways, type CommandName, type StateName } from './domain/testing/samples.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoicePublisher } from './invoices.ts';

const PATCH = '`PATCH /v1/invoices/{id}`';
/** The `by` of the published table for a command in a status. A number is part of the submission that asked for it. */
const byOf = (command: CommandName, from: string): string | undefined =>
  ({
    'PATCH notes': PATCH,
    'PATCH metadata': from === 'draft' || from === 'failed' ? PATCH : `${PATCH} of \`metadata\` alone`,
    submit: '`POST /v1/invoices/{id}/submit`',
    void: '`POST /v1/invoices/{id}/void`',
    register: 'the authority registers it',
    'register round 2': 'the authority registers it',
    amend: 'another record replaces the one that the authority found wrong; `fiscal.warnings` says what still is',
    reject: 'the authority rejects it, or its deadline passes before it was sent',
    'reject round 2': 'the authority rejects it, or its deadline passes before it was sent',
    'delay: unknown': 'the authority has not answered; `fiscal.status` says more',
    'delay: review': 'the authority has not answered; `fiscal.status` says more',
    pay: 'a payment is recorded or reversed',
    reverse: 'a payment is recorded or reversed',
    cancel: 'the authority confirms, or nothing needs to be confirmed',
    'refuse void': 'the authority refuses; `void.error` says why',
  })[command as string];

const fold = (events: readonly InvoiceEvent[]): InvoiceState | null => events.reduce<InvoiceState | null>(evolve, null);
const webhookOf = (events: readonly InvoiceEvent[]): string | null => {
  const recorded = events.map(recordedOn(`invoice-test.${account}.${id}`));
  const state = recorded.reduce<InvoiceState | null>(invoicePublisher.evolve, null);
  const last = recorded.at(-1)!;
  const [event] = publicEvents('invoicing', last, invoicePublisher.publish(last, state));
  return event?.type.replace(/^invoicing\.invoice-(\w+)\.v1$/, 'invoice.$1') ?? null;
};

/** `from by to event` of every command that changes something, from every state that a caller sees at rest. */
function observed(): Set<string> {
  const seen = new Set<string>([`- | \`POST /v1/invoices\` | draft | ${webhookOf(eventsOf([]))}`]);
  for (const way of Object.values(ways) as CommandName[][]) {
    const before = eventsOf(way);
    const state = fold(before) as InvoiceState;
    if (state.status === 'being_numbered') continue;
    for (const command of [
      ...new Set<CommandName>([
        'PATCH notes',
        'PATCH metadata',
        'submit',
        'void',
        'register',
        'register round 2',
        'reject',
        'reject round 2',
      ]),
      ...(['delay: unknown', 'delay: review', 'pay', 'reverse', 'cancel', 'refuse void', 'amend'] as const),
    ]) {
      const by = byOf(command, state.status);
      const after = attempt(way, command);
      if (by === undefined || after.length === before.length) continue;
      const to = publicStatus(fold(after) as InvoiceState);
      seen.add(`${state.status} | ${by} | ${to === state.status ? 'same' : to} | ${webhookOf(after)}`);
    }
  }
  return seen;
}

/** The events after the command; as before where it is refused. */
function attempt(way: CommandName[], command: CommandName): InvoiceEvent[] {
  try {
    const after = eventsOf([...way, command]);
    return fold(after)?.status === 'being_numbered' ? eventsOf([...way, command, 'number']) : after;
  } catch {
    return eventsOf(way);
  }
}

test('the published table of an invoice’s states has every change that the decider makes, and no other', () => {
  const published = invoiceTransitions.flatMap(({ from, by, to, event }) =>
    (from.length === 0 ? ['-'] : from).map((status) => `${status} | ${by} | ${to} | ${event}`),
  );
  expect([...observed()].sort()).toEqual([...published].sort());
});

test('every state of an invoice is among the samples', () => {
  const known: StateName[] = ['draft', 'submitting', 'submitted', 'failed', 'voiding', 'voided'];
  expect(known.map((name) => publicStatus(fold(eventsOf(ways[name])) as InvoiceState))).toEqual(known);
});
