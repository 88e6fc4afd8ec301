import { documentTopics, topics, type Topic } from '@svc/contracts/events/envelope';
import type { Ends, EventBus } from '@svc/event-bus';
import { DomainError, type Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';

/** The topics whose events become webhook events. */
export const sources = [...Object.values(documentTopics), topics.customer] as const satisfies readonly Topic[];

export type EndsByTopic = Readonly<Record<string, Ends>>;

interface Asking {
  bus: Pick<EventBus, 'ends'>;
  clock: Clock;
}

const WITHIN_MS = 5_000;
const RETRY_AFTER_S = 5;

/** The current ends of all topics of webhook events. Throws `service_unavailable` when the bus does not answer within 5 s. */
export async function currentEnds(context: Asking & { logger: Logger }): Promise<EndsByTopic> {
  try {
    return Object.fromEntries(await Promise.all(sources.map(async (topic) => [topic, await inTime(context, topic)] as const)));
  } catch (error) {
    context.logger.warn({ err: error }, 'a webhook endpoint was not created: the event bus does not tell where its topics end');
    throw unavailable('The event bus does not answer. Nothing was created; repeat the request.');
  }
}

/** The current end of a topic. Throws `service_unavailable` when the bus does not answer within 5 s. */
export async function endsNow(context: Asking, topic: Topic): Promise<Ends> {
  try {
    return await inTime(context, topic);
  } catch (error) {
    throw unavailable(`The event bus does not tell where ${topic} ends.`, error);
  }
}

async function inTime({ bus, clock }: Asking, topic: Topic): Promise<Ends> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(WITHIN_MS, () => late.reject(new Error(`no answer within ${WITHIN_MS} ms`)));
  return Promise.race([bus.ends(topic), late.promise]).finally(cancel);
}

const unavailable = (message: string, cause?: unknown): DomainError =>
  Object.assign(new DomainError('service_unavailable', message, undefined, RETRY_AFTER_S), { cause });
