import { publicEvents } from '@svc/contracts/public-events';
import { parseExact, UnknownEvent } from '@svc/kernel';
import type { Subscription } from './consumes.ts';
import { type DeadLetterReason, type DeadLetters, hasAny, lineOf } from './dead-letter.ts';
import { eraseDeadLetters } from './dead-letters/queues.ts';
import { type DeadLetterContext, storeDeadLetter } from './dead-letters/store.ts';
import { envelopeFault } from './envelope.ts';
import type { BatchContext, EventPosition, Taken } from './position.ts';
import { AWAY_DELAY_MS, isAway, RETRY_DELAYS_MS } from './retrying.ts';
import type { Subscriber } from './subscriber.ts';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { inBatchSpan } from '@svc/event-store/subscription/batch-span';

/** What every bus needs. `deadLetters`: those of a group, in the database of its service. */
export type BusOptions = DeadLetterContext;

export interface DeliveryOptions extends BusOptions {
  subscription: Subscription;
  /** `messaging.system` of the spans. */
  system: string;
  handle: Subscriber['handle'];
  /** Aborted when the bus closes: ends all retries. */
  closing: AbortSignal;
}

/** A received event and its origin (`DeadLetter.origin`). */
export interface Arrival {
  event: unknown;
  origin: string;
  position?: EventPosition;
}
type Whole = Arrival & Taken;

/** An event parsed from JSON without loss of digits. Text that is no JSON is kept as it is, and has no envelope. */
export function arrivalOf(text: string, from: Omit<Arrival, 'event'>): Arrival {
  try {
    return { event: parseExact(text), ...from };
  } catch {
    return { event: text, ...from };
  }
}

/**
 * Hands one group an ordered batch. Broken envelopes become dead letters. The rest is handled at once or, when that fails, event by event:
 * each is retried after 200 ms, 1 s and 5 s and then becomes a dead letter too. An event that fails because a server does not answer is
 * retried until it does, since the event is not the cause. An event of a type that this release does not know, or whose handler throws
 * `UnknownEvent`, is stored at once as a dead letter with all later ones of its subject, until a process that knows it handles them
 * (`takeUpDeadLetters`). Resolves when each event is handled or stored; rejects when the bus closes before, or when a dead letter cannot be
 * stored: then the same batch has to be delivered again.
 */
export async function deliver(options: DeliveryOptions, arrivals: Arrival[]): Promise<void> {
  const whole: Whole[] = [];
  for (const arrival of arrivals) {
    const fault = envelopeFault(arrival.event);
    if (fault === undefined) whole.push(arrival as Whole);
    else await keep(options, arrival, 'broken_envelope', new Error(`broken envelope: ${fault}`));
  }
  if (whole.length === 0) return;
  const events = whole.map(({ event }) => event);
  const { deadLetters, subscription } = options;
  const erase = (): Promise<void> => eraseDeadLetters(deadLetters, subscription.group, events);
  await erase(); // otherwise an erasure would wait behind the dead letters that it is to erase
  const waiting = await waitingSubjects(deadLetters, subscription.group, subscription.topic, events);
  await deliverInOrder(options, await setAside(options, whole, waiting), waiting);
  await erase();
}

async function deliverInOrder(options: DeliveryOptions, whole: Whole[], waiting: Set<string>): Promise<void> {
  if (whole.length === 0) return;
  const { subscription, logger } = options;
  try {
    await attempt(options, whole);
  } catch (error) {
    logger.warn({ ...subscription, events: whole.length, err: error }, 'a batch failed; its events are tried one by one');
    for (const arrival of whole) {
      const [ready] = await setAside(options, [arrival], waiting);
      if (ready && !(await deliverOne(options, ready))) waiting.add(ready.event.subject);
    }
  }
}

/** Stores events that wait behind others of their subject, and those of unknown types, as dead letters. Returns the rest. */
async function setAside(options: DeliveryOptions, arrivals: Whole[], waiting: Set<string>): Promise<Whole[]> {
  const rest: Whole[] = [];
  for (const arrival of arrivals) {
    const { subject, type } = arrival.event;
    const isKnown = publicEvents.has(type);
    if (isKnown && !waiting.has(subject)) rest.push(arrival);
    else {
      waiting.add(subject);
      await keep(options, arrival, 'unknown_type', isKnown ? `it waits behind others of ${subject}` : `${type} is unknown to this release`);
    }
  }
  return rest;
}

/** False: the handler threw `UnknownEvent`, and the event was stored as a dead letter. */
async function deliverOne(options: DeliveryOptions, arrival: Whole): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    const delay = tries === 0 ? 0 : (RETRY_DELAYS_MS[tries - 1] ?? AWAY_DELAY_MS);
    if (delay > 0) await options.clock.sleep(delay, options.closing);
    if (options.closing.aborted) throw new Error('the bus was closed before all events were handled');
    try {
      await attempt(options, [arrival]);
      return true;
    } catch (error) {
      const isUnknown = error instanceof UnknownEvent;
      if (!isUnknown && (tries < RETRY_DELAYS_MS.length || isAway(error))) continue;
      await keep(options, arrival, isUnknown ? 'unknown_type' : 'failed', error);
      return !isUnknown;
    }
  }
}

/** Hands events to the group's handler once. */
export async function attempt(
  { subscription, system, handle }: Pick<DeliveryOptions, 'subscription' | 'system' | 'handle'>,
  arrivals: Taken[],
): Promise<void> {
  const events = arrivals.map(({ event }) => event);
  const context: BatchContext = { topic: subscription.topic, positions: arrivals.map(({ position }) => position) };
  await consuming({ ...subscription, system }, events, () => handle(events, context));
}

const keep = (options: DeliveryOptions, arrival: Arrival, reason: DeadLetterReason, failure: unknown): Promise<void> =>
  storeDeadLetter(options, { ...options.subscription, ...arrival, reason, failure });

const AT_ONCE = 500;

/**
 * The subjects of a batch whose earlier events wait for a release that knows them. Read from the store each time: another replica may have
 * stored or handled dead letters.
 */
export async function waitingSubjects(deadLetters: DeadLetters, group: string, topic: string, events: PublicEvent[]): Promise<Set<string>> {
  const ofGroup = deadLetters(group);
  const subjects = [...new Set(events.map(({ subject }) => subject))];
  const waiting = new Set<string>();
  if (!(await hasAny(ofGroup))) return waiting;
  for (let n = 0; n < subjects.length; n += AT_ONCE) {
    const some = subjects.slice(n, n + AT_ONCE);
    if ((await ofGroup.count({ line: { $in: some.map((subject) => lineOf(topic, subject)) } })) === 0) continue;
    for (const subject of some) if ((await ofGroup.count({ line: lineOf(topic, subject) })) > 0) waiting.add(subject);
  }
  return waiting;
}

/** `system`: which bus. */
export type Consumed = Subscription & { system: string };

/** Handles a batch in its span, which names the service: a group has its name, followed by `.r<n>` when it is rebuilt. */
export const consuming = <T>({ group, topic, system }: Consumed, events: PublicEvent[], handle: () => Promise<T>): Promise<T> =>
  inBatchSpan(
    {
      service: group.replace(/\.r\d+$/, ''),
      name: topic,
      attributes: { 'messaging.system': system, 'messaging.destination.name': topic, 'messaging.consumer.group.name': group },
    },
    events.map(({ traceparent }) => traceparent),
    handle,
  );
