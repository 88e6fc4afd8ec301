import { topics, type Topic } from '@svc/contracts/events/envelope';
import type { EventBus } from '@svc/event-bus';
import type { PublishTo } from '@svc/event-bus/publishing/publication';
import { allDone } from '../all-done.ts';
import type { ForgetfulBus } from './catch-up.ts';
import { openLane, type Lane, type LaneOptions } from './lane.ts';

export const isForgetful = (bus: EventBus): bus is ForgetfulBus => 'groups' in bus && 'publishTo' in bus;

export interface Lanes {
  /** To each group of the topic, none of which waits for another. */
  publish: PublishTo;
  /** The relay is through with its batch. */
  endOfBatch(): void;
  stop(): Promise<void>;
}

const own: readonly Topic[] = [topics.invoice, topics.receipt, topics.customer, topics.registration];

/** A lane for each group on each of our topics, as soon as the bus listens and knows them all. */
export function startLanes(options: Omit<LaneOptions, 'stopped'>): Lanes {
  const { bus } = options;
  const stopping = new AbortController();
  const stopped = new Promise<never>((_, reject) => stopping.signal.addEventListener('abort', () => reject(new Error('publishing stops'))));
  stopped.catch(() => undefined);
  let opening: Promise<Lane[]> | undefined;
  let opened: Lane[] = [];

  async function open(): Promise<Lane[]> {
    await Promise.race([bus.publish(topics.invoice, []), stopped]); // waits until it listens
    const subscriptions = bus.groups().filter(({ topic }) => own.includes(topic));
    return (opened = await Promise.all(
      subscriptions.map((subscription) => openLane({ ...options, stopped: stopping.signal }, subscription)),
    ));
  }
  const lanes = (): Promise<Lane[]> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  lanes().catch(() => undefined); // the relay asks again

  return {
    async publish(topic, events, positions) {
      const all = await lanes();
      await allDone(all.filter((lane) => lane.topic === topic).map((lane) => lane.publish(events, positions)));
    },
    endOfBatch() {
      for (const lane of opened) lane.endOfBatch();
    },
    async stop() {
      stopping.abort();
      await Promise.all((await opening?.catch(() => []))?.map((lane) => lane.stop()) ?? []);
    },
  };
}
