import { receiptTransitions } from '@svc/contracts/receipt/vocabulary';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import { account, recordedOn } from '../invoice/domain/testing/samples.ts';
import { receiptEventVersions, type ReceiptEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { ReceiptState } from './domain/state.ts';
import { eventsOf, id, ways, type CommandName } from './domain/testing/samples.ts';
import { receiptPublisher } from './receipts.ts';

const VOID = '`POST /v1/receipts/{id}/void`';
const ANSWERED = 'the authority registers it, or has not answered; `fiscal` says which';
const CONFIRMED = 'the authority confirms the void, or rejects the receipt itself';
/** The `by` of the published table for a command in a status. */
const byOf = (command: CommandName, { status, fiscal }: ReceiptState & { fiscal: { status: string } }): string | undefined =>
  ({
    resubmit: '`POST /v1/receipts/{id}/resubmit`, once `credentials` or `setup` are fixed',
    void: fiscal.status === 'rejected' ? `${VOID} of a rejected receipt` : VOID,
    register: ANSWERED,
    'register round 2': ANSWERED,
    'delay: unknown': ANSWERED,
    'delay: review': ANSWERED,
    amend: 'another record replaces the one that the authority found wrong; `fiscal.warnings` says what still is',
    'reject: data': status === 'voiding' ? CONFIRMED : 'the authority rejects it; `fiscal.error` says why',
    'reject: setup': status === 'voiding' ? CONFIRMED : 'the authority rejects it; `fiscal.error` says why',
    cancel: CONFIRMED,
    'refuse void': 'the authority refuses; `void.error` says why',
  })[command as string];

const fold = (events: readonly ReceiptEvent[]) =>
  events.reduce<ReceiptState | null>(evolve, null) as ReceiptState & { fiscal: { status: string } };
const webhookOf = (events: readonly ReceiptEvent[]): string | null => {
  const recorded = events.map(recordedOn(`receipt-test.${account}.${id}`, receiptEventVersions));
  const state = recorded.reduce<ReceiptState | null>(receiptPublisher.evolve, null);
  const last = recorded.at(-1)!;
  const types = publicEvents('invoicing', last, receiptPublisher.publish(last, state)).map(({ type }) => type);
  const [, name] = /receipt-(created|voided)\.v1/.exec(types.join(' ')) ?? [];
  return name === undefined ? null : `receipt.${name}`;
};

/** `from by to event` of every command that changes something in every state. */
function observed(): Set<string> {
  const seen = new Set<string>([`- | \`POST /v1/receipts\` | issued | ${webhookOf(eventsOf(['number']))}`]);
  for (const way of Object.values(ways) as CommandName[][]) {
    const before = eventsOf(way);
    const state = fold(before);
    for (const command of [
      ...(['resubmit', 'void', 'register', 'register round 2', 'reject: data', 'reject: setup'] as const),
      ...(['delay: unknown', 'delay: review', 'cancel', 'refuse void', 'amend'] as const),
    ]) {
      const after = attempt(way, command);
      if (after.length === before.length) continue;
      const { status } = fold(after);
      seen.add(`${state.status} | ${byOf(command, state)} | ${status === state.status ? 'same' : status} | ${webhookOf(after)}`);
    }
  }
  return seen;
}

/** The events after the command; as before where it is refused. */
function attempt(way: CommandName[], command: CommandName): ReceiptEvent[] {
  try {
    return eventsOf([...way, command]);
  } catch {
    return eventsOf(way);
  }
}

test('the published table of a receipt’s states has every change that the decider makes, and no other', () => {
  const published = receiptTransitions.flatMap(({ from, by, to, event }) =>
    (from.length === 0 ? ['-'] : from).map((status) => `${status} | ${by} | ${to} | ${event}`),
  );
  expect([...observed()].sort()).toEqual([...published].sort());
});
