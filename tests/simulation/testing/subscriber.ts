import type { WebhooksAdapters } from '@svc/webhooks-dispatcher';
import { isInjected, never, type FaultInjection, type Journal, type Random } from '@svc/testkit/simulation/index';
import { type Answered, NO_PHASES } from '@svc/webhooks-dispatcher/sending/send';

export type Send = NonNullable<WebhooksAdapters['send']>;

export interface Delivered {
  id: string;
  type: string;
  sequence: number;
  resource: string;
  /** The exact body. */
  raw: string;
}

/** A webhook subscriber that keeps what it answered with 200. */
export interface Subscriber {
  accepted: Delivered[];
  /** Returns the status. */
  receive(raw: string): number;
}

export function openSubscriber(journal: Journal, random: Random, chance: () => number): Subscriber {
  const accepted: Delivered[] = [];
  return {
    accepted,
    receive(raw) {
      const { id, type, sequence, data } = JSON.parse(raw) as { id: string; type: string; sequence: number; data: { id: string } };
      const status = random.chance(chance()) ? random.pick([500, 503, 429, 302, 404]) : 200;
      journal.note('subscriber', `${type} ${sequence} ${data.id} ${status}`);
      if (status === 200) accepted.push({ id, type, sequence, resource: data.id, raw });
      return status;
    },
  };
}

const LATEST_MS = 10_000;

/** The network to the subscriber: deliveries are lost, duplicated or late, responses are lost. */
export function networkToSubscriber({ receive }: Subscriber, chance: number, injection: FaultInjection): Send {
  const { lifetime, network, random, crashesAt } = injection;
  return async ({ body }) => {
    if (crashesAt('webhook not sent')) return never();
    const raw = body.toString('utf8');
    const silence = async (): Promise<Answered> => {
      await lifetime.clock.sleep(random.chance(0.1) ? 30_000 : random.between(1, 1_000));
      return { status: null, error: 'connection failed', phases: NO_PHASES };
    };
    if (isInjected(injection, chance)) return silence();
    if (isInjected(injection, chance)) network.after(random.between(1, LATEST_MS), () => void receive(raw));
    await lifetime.clock.sleep(random.between(1, 200));
    const status = receive(raw);
    if (crashesAt('webhook answered')) return never();
    if (isInjected(injection, chance)) return silence();
    await lifetime.clock.sleep(random.between(1, 200));
    return { status, body: '', phases: NO_PHASES };
  };
}
