import { verifyWebhook, WebhookError } from '@svc/client';
import type { Call, Delivery, startReceiver } from '@svc/testkit';
import { everything } from '../../e2e/testing/retrying-client.ts';

interface Hook {
  id: string;
  path: string;
  secret: string;
  /** Events that were published before it was created. */
  before: ReadonlySet<string>;
}

export interface MixedHooks {
  /** Creates an endpoint for all events. */
  add(call: Call): Promise<void>;
  ids(): string[];
  /** What is wrong with the deliveries that were received: those missing, and signatures that are not their endpoint's. */
  faults(call: Call): Promise<string[]>;
}

/** Webhook endpoints, each at a path of its own. */
export function mixedHooks({ origin, deliveries }: Awaited<ReturnType<typeof startReceiver>>): MixedHooks {
  const hooks: Hook[] = [];
  const eventsOf = async (call: Call): Promise<Set<string>> =>
    new Set((await everything<{ id: string }>(call, '/events')).map(({ id }) => id));

  return {
    async add(call) {
      const before = await eventsOf(call);
      const path = `/hook-${hooks.length + 1}`;
      const body = { url: origin + path, events: ['*'], description: path };
      const answer = await call<{ id: string; secret: string }>('POST', '/webhooks', { body });
      if (answer.status !== 201) throw new Error(`POST /webhooks answered ${answer.status}: ${answer.text}`);
      hooks.push({ id: answer.body.id, path, secret: answer.body.secret, before });
    },
    ids: () => hooks.map(({ id }) => id),
    async faults(call) {
      const events = await eventsOf(call);
      return hooks.flatMap(({ id, path, secret, before }) => {
        const received = deliveries.filter((delivery) => delivery.path === path);
        const ids = new Set(received.map(({ body }) => body.id));
        const missing = [...events].filter((event) => !before.has(event) && !ids.has(event)).length;
        const badly = received.filter((delivery) => !isSigned(delivery, secret)).length;
        return [
          ...(missing > 0 ? [`${id} did not receive ${missing} of ${events.size} events`] : []),
          ...(badly > 0 ? [`${id} received ${badly} requests without a valid signature`] : []),
        ];
      });
    },
  };
}

/** Whether both forms of the signature are of this secret, and of when it was received. */
function isSigned({ at, headers, raw: body }: Delivery, secret: string): boolean {
  try {
    for (const signature of ['webhook-signature', 'x-service-signature'] as const)
      if (verifyWebhook({ headers, body }, secret, { signature, now: new Date(at) }).id !== headers['webhook-id']) return false;
    return true;
  } catch (error) {
    if (error instanceof WebhookError) return false;
    throw error;
  }
}
