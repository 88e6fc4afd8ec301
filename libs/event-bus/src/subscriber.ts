import type { MessageHandler } from '@nestjs/microservices';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Subscription } from './consumes.ts';
import type { BatchContext } from './position.ts';

/** Takes the batches of one group on one topic. */
export interface Subscriber {
  subscription: Subscription;
  handle: (events: PublicEvent[], context: BatchContext) => Promise<unknown>;
}

/**
 * What Nest passes to a transport for each pattern of each handler. Throws on a second handler of one group and topic: Nest would chain
 * the two.
 */
export function subscriberOf(
  known: Pick<Subscriber, 'subscription'>[],
  pattern: unknown,
  handler: MessageHandler,
  isEventHandler: boolean,
): Subscriber {
  const subscription = subscriptionOf(pattern);
  const { group, topic } = subscription;
  if (!isEventHandler) throw new Error(`${group} on ${topic}: the bus carries events alone, no commands`);
  if (known.some(({ subscription: other }) => other.group === group && other.topic === topic))
    throw new Error(`${group} has two handlers on ${topic}`);
  const handle: Subscriber['handle'] = async (events, context) => {
    const result: unknown = await handler(events, context);
    return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
  };
  return { subscription, handle };
}

function subscriptionOf(pattern: unknown): Subscription {
  const { group, topic } = (typeof pattern === 'object' && pattern !== null ? pattern : {}) as Partial<Subscription>;
  if (typeof group !== 'string' || typeof topic !== 'string') throw new Error('a pattern of the bus is { group, topic }');
  return { group, topic };
}
