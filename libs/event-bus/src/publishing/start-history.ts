import { measureLag, startExclusiveSubscription, type Subscription } from '@svc/event-store';
import { retry, type Position, type Recorded } from '@svc/kernel';
import { CannotPublish, gather, type ForTopic, type PublishTo, publicationsFrom } from './publication.ts';
import { RELAY, startRelay, type Source } from './start-relay.ts';
import type { DeadLetterQueues } from '../dead-letters/queues.ts';

/** What the relay is called that publishes events with their entry, from where release 0.1.0 had come when this one first started. until 0.3 */
const RELAY_WITH_ENTRIES = `${RELAY}.r2`;
/** Publishes what comes before, once more. */
const HISTORY = `${RELAY}.history`;
/** It stops when it has nothing more to publish, and its position is saved. */
const STOP_AFTER_MS = 1_000;
/** Its position is where the history ends. */
const HISTORY_END = `${HISTORY}.end`;

interface RelayWithHistory extends Subscription {
  /** Whether the history is published, or is within that time. */
  isWhole(withinMs: number): Promise<boolean>;
}

/**
 * until 0.3: release 0.1.0 published events of documents without an entry. This one goes on from its position by a checkpoint of its own, so that events that
 * a replica of 0.1.0 publishes meanwhile are published with an entry too, and publishes those before it once more on the topic of the history, which
 * subscribers of other topics do not get. Repeats are equal, and a restart goes on where it was.
 */
export function startRelayWithHistory(source: Source, bus: { publish: PublishTo; deadLetters: DeadLetterQueues }): RelayWithHistory {
  const { clock, logger } = source.subscribing;
  const stopping = new AbortController();
  const since = clock.now();
  let relay: Subscription | undefined;
  let unmeasure = (): void => undefined;
  let history: Subscription | undefined;
  let historyEnd: Position | undefined;

  async function start(): Promise<void> {
    const begins = await retry(() => beginning(source).catch(failed), clock, stopping.signal);
    if (stopping.signal.aborted || !begins) return;
    relay = startRelay(source, bus, RELAY_WITH_ENTRIES);
    const { end, isDone } = begins;
    historyEnd = end;
    if (isDone) return;
    const publish = publishHistory(source, { end, publish: bus.publish });
    history = startExclusiveSubscription({
      ...source.subscribing,
      name: HISTORY,
      async handle(events) {
        await publish(events);
        if ((events.at(-1)?.position ?? 0n) >= end) clock.after(STOP_AFTER_MS, () => void history?.stop());
      },
    });
    unmeasure = measureLag(`${source.source}.${HISTORY}`, async () => history?.lagSeconds() ?? 0);
  }
  const failed = (error: unknown): never => {
    logger.error({ err: error, source: source.source }, 'publishing cannot start at the moment');
    throw error;
  };
  const started = start().catch(() => undefined); // stopped before it began

  return {
    position: () => relay?.position() ?? 0n,
    async waitFor(position, withinMs) {
      const until = clock.now() + withinMs;
      await Promise.race([started, clock.sleep(withinMs)]);
      return (await relay?.waitFor(position, Math.max(0, until - clock.now()))) ?? false;
    },
    async isWhole(withinMs) {
      await Promise.race([started, clock.sleep(withinMs)]);
      if (historyEnd === undefined) return false;
      return history?.waitFor(historyEnd, withinMs) ?? true;
    },
    isBehind: async () => relay?.isBehind() ?? true,
    lagSeconds: async () => relay?.lagSeconds() ?? (clock.now() - since) / 1_000,
    async stop() {
      stopping.abort();
      await started;
      unmeasure();
      await Promise.all([relay?.stop(), history?.stop()]);
    },
  };
}

/** Where this release's relay begins: decided once, by whichever replica starts first. */
async function beginning({ subscribing: { checkpoints } }: Source): Promise<{ end: Position; isDone: boolean }> {
  const { version, position } = (await checkpoints.get(RELAY)) ?? { version: 1, position: '0' };
  await checkpoints.insert({ _id: HISTORY_END, version, position });
  const end = (await checkpoints.get(HISTORY_END))?.position ?? position;
  await checkpoints.insert({ _id: RELAY_WITH_ENTRIES, version: Number(end) + 1, position: end });
  const done = (await checkpoints.get(HISTORY))?.position ?? 0;
  return { end: BigInt(end), isDone: BigInt(done) >= BigInt(end) };
}

/** Events that this release cannot publish are skipped: their documents wait for them, as their relay's dead letters say. */
function publishHistory(source: Source, { end, publish }: { end: Position; publish: PublishTo }): (events: Recorded[]) => Promise<void> {
  const { subscribing, history } = source;
  if (!history) return async () => undefined;
  const { topic: ofHistory, of, added } = history;
  const publishers = source.publishers.filter(({ topics }) => topics.some((topic) => of.includes(topic) || added.includes(topic)));
  const again = ({ topic, event }: ForTopic): ForTopic[] => {
    if (added.includes(topic)) return [{ topic, event }];
    return event.entry ? [{ topic: ofHistory, event }] : [];
  };
  const publications = publicationsFrom({ ...source, store: subscribing.store, publishers });
  return async (events) => {
    const inHand = gather(publish);
    for (const recorded of publications.each(events, ({ position }) => position <= end)) {
      if (recorded.position > end) break;
      try {
        const { events: made, bytes } = await publications.of(recorded);
        await inHand.add(recorded, { events: made.flatMap(again), bytes });
      } catch (error) {
        if (!(error instanceof CannotPublish)) throw error;
      }
    }
    await inHand.publish();
  };
}
