import { millisOf } from '@svc/kernel';
import { Gauge } from 'prom-client';
import { type DeadLetterReason, deadLetterReasons } from '../dead-letter.ts';
import type { DeadLetterQueues } from './queues.ts';

const measured = new Set<DeadLetterQueues>();

interface Measured {
  queues: DeadLetterQueues;
  group: string;
  reason: DeadLetterReason;
}

/** Evaluated when the metrics are read, one group at a time, since requests share the connections. Rejects where a database does not answer: then the metric is absent rather than incomplete. */
const gaugeOf = (name: string, help: string, read: (of: Measured) => Promise<number>): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: ['group', 'reason'],
    async collect() {
      const found: (Measured & { value: number })[] = [];
      for (const queues of measured)
        for (const group of queues.groups()) {
          const all = deadLetterReasons.map((reason) => ({ queues, group, reason }));
          found.push(...(await Promise.all(all.map(async (one) => ({ ...one, value: await read(one) })))));
        }
      this.reset();
      for (const { queues, group, reason, value } of found) if (measured.has(queues)) this.set({ group, reason }, value);
    },
  });

const gauges = [
  gaugeOf(
    'svc_dead_letters',
    'Dead letters of a group or publisher, by why: each reason but unknown_type needs an operator, unknown_type a process of the next release.',
    ({ queues, group, reason }) => queues.of(group).count({ reason }),
  ),
  gaugeOf(
    'svc_dead_letters_oldest_seconds',
    'How long the oldest dead letter of a group or publisher has been there; 0: there is none. It stays until it is redriven or dropped.',
    async ({ queues, group, reason }) => {
      const oldest = queues.of(group).find({ reason }, { sort: { at: 1 }, limit: 1 });
      for await (const { at } of oldest) return Math.max(0, queues.options.clock.now() - millisOf(at)) / 1_000;
      return 0;
    },
  ),
];

/** Exports the number and age of dead letters until the returned function is called. */
export function measureDeadLetters(queues: DeadLetterQueues): () => void {
  measured.add(queues);
  return () => {
    measured.delete(queues);
    if (measured.size === 0) for (const gauge of gauges) gauge.reset();
  };
}
