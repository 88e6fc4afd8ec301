import type { PublicEvent } from '@svc/contracts/events/envelope';
import { Conflict, iso, parseExact, type Clock } from '@svc/kernel';
import { toRefusal } from '@svc/service-kit/errors/to-refusal';
import { Counter } from '@svc/service-kit/telemetry/metrics';
import type { Subscription } from './consumes.ts';
import { deadLetterId, deadLetterSubject, type DeadLetters } from './dead-letter.ts';
import { envelopeFault } from './envelope.ts';
import type { EventPosition } from './position.ts';
import { consuming } from './span.ts';
import type { Subscriber } from './subscriber.ts';

export interface BusLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How often and how long after an event that failed is given to its handler again. */
export const RETRY_DELAYS_MS = [200, 1_000, 5_000];
/** The same while a server is away that the handler needs. */
const AWAY_DELAY_MS = 1_000;

/** What every bus is given. */
export interface BusOptions {
  clock: Clock;
  logger: BusLogger;
  /** The dead letters of a group, in that service's own database. */
  deadLetters: DeadLetters;
}

export interface DeliveryOptions extends BusOptions {
  subscription: Subscription;
  handle: Subscriber['handle'];
  /** Aborted when the bus closes: nothing is tried again. */
  closing: AbortSignal;
}

/** An event as it came, and where from (`DeadLetter.origin`). */
export interface Arrival {
  event: unknown;
  origin: string;
  position?: EventPosition;
}
type Whole = Arrival & { event: PublicEvent };

/** An event that came as JSON, with its numbers digit by digit. Text that is none arrives as it is, and has no envelope. */
export function arrivalOf(text: string, from: Omit<Arrival, 'event'>): Arrival {
  try {
    return { event: parseExact(text), ...from };
  } catch {
    return { event: text, ...from };
  }
}

/**
 * Gives one group an ordered batch. Broken envelopes go to its dead letters; the rest is handled at once, or, when that fails, event
 * by event, each again 200 ms, 1 s and 5 s later, and then put on the dead letters too; but an event that fails because a server does
 * not answer is tried until it does: no event is to blame for that. Resolves when each is one or the other; rejects when the bus closes before, or when a dead letter cannot be written: then the same batch has to come again.
 */
export async function deliver(options: DeliveryOptions, arrivals: Arrival[]): Promise<void> {
  const whole: Whole[] = [];
  for (const arrival of arrivals) {
    const fault = envelopeFault(arrival.event);
    if (fault === undefined) whole.push(arrival as Whole);
    else await bury(options, arrival, new Error(`broken envelope: ${fault}`));
  }
  if (whole.length === 0) return;
  const { subscription, logger } = options;
  try {
    await attempt(options, whole);
  } catch (error) {
    logger.warn({ ...subscription, events: whole.length, err: error }, 'a batch failed; its events are tried one by one');
    for (const arrival of whole) await deliverOne(options, arrival);
  }
}

async function deliverOne(options: DeliveryOptions, arrival: Whole): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const delay = tries === 0 ? 0 : (RETRY_DELAYS_MS[tries - 1] ?? AWAY_DELAY_MS);
    if (delay > 0) await options.clock.sleep(delay, options.closing);
    if (options.closing.aborted) throw new Error('the bus was closed before all events were handled');
    try {
      return await attempt(options, [arrival]);
    } catch (error) {
      if (tries >= RETRY_DELAYS_MS.length && !isAway(error)) return bury(options, arrival, error);
    }
  }
}

/** Whether a server did not answer, or not in time. */
const isAway = (error: unknown): boolean =>
  !(error instanceof Conflict) && ['service_unavailable', 'outcome_unknown'].includes(toRefusal(error).code);

async function attempt({ subscription, handle }: DeliveryOptions, arrivals: Whole[]): Promise<void> {
  const events = arrivals.map(({ event }) => event);
  await consuming(subscription, events, () => handle(events, { positions: arrivals.map(({ position }) => position) }));
}

const buried = new Counter({
  name: 'svc_dead_letters_total',
  help: 'Events that a group could not handle and that lie in its dead letters since this process started.',
  labelNames: ['group'],
});

async function bury(
  { subscription, deadLetters, clock, logger }: DeliveryOptions,
  { event, origin }: Arrival,
  failure: unknown,
): Promise<void> {
  const error = messageOf(failure).slice(0, 2_000);
  const _id = deadLetterId(subscription.group, event);
  const subject = deadLetterSubject(subscription.topic, event);
  const letter = { _id, version: 1, ...subscription, subject, event, error, origin, at: iso(clock.now()) };
  if (await deadLetters(subscription.group).insert(letter)) buried.inc({ group: subscription.group });
  logger.error({ ...subscription, dead_letter: _id, err: failure }, 'an event went to the dead letters');
}

/** Nest hands on what is no `Error` as well: `{ status, message }`. */
function messageOf(failure: unknown): string {
  const message = (failure as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(failure);
}
