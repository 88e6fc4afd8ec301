import { topics, type Topic } from '@svc/contracts/events/envelope';
import type { Ends } from '@svc/event-bus';
import { Refusal } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';

/** What subscribers are told of. */
export const sources = [topics.invoice, topics.receipt, topics.customer] as const satisfies readonly Topic[];

export type EndsByTopic = Readonly<Record<string, Ends>>;

const WITHIN_MS = 5_000;
const RETRY_AFTER_S = 5;

/** Where the topics of all webhook events end now. Throws `service_unavailable` when the bus does not tell within 5 s. */
export async function currentEnds({ bus, clock, logger }: Pick<WebhooksContext, 'bus' | 'clock' | 'logger'>): Promise<EndsByTopic> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(WITHIN_MS, () => late.reject(new Error(`no answer within ${WITHIN_MS} ms`)));
  try {
    const all = Promise.all(sources.map(async (topic) => [topic, await bus.ends(topic)] as const));
    return Object.fromEntries(await Promise.race([all, late.promise]));
  } catch (error) {
    logger.warn({ err: error }, 'a webhook endpoint was not created: the event bus does not tell where its topics end');
    throw new Refusal(
      'service_unavailable',
      'The event bus does not answer. Nothing was created; repeat the request.',
      undefined,
      RETRY_AFTER_S,
    );
  } finally {
    cancel();
  }
}
