import { FakeClock, iso } from '@svc/kernel';
import { register } from 'prom-client';
import type { Collection } from '@svc/document-store';
import { type DeadLetter, deadLetterReasons } from '../dead-letter.ts';
import { DeadLetterQueues } from './queues.ts';
import { measureDeadLetters } from './measure.ts';

const noDeadLetter = { again: () => Promise.resolve(), knows: () => true };
const clock = new FakeClock();

test('counts one group at a time, since requests share the connections, and says how old the oldest of each reason is', async () => {
  let [counting, most] = [0, 0];
  const count = async (): Promise<number> => {
    counting += 1;
    most = Math.max(most, counting);
    await new Promise(setImmediate);
    counting -= 1;
    return 2;
  };
  async function* find({ reason }: { reason: string }) {
    if (reason === 'failed') yield { at: iso(clock.now() - 90_000) };
  }
  const deadLetters = () => ({ count, find }) as unknown as Collection<DeadLetter>;
  const queues = new DeadLetterQueues({ deadLetters, clock } as unknown as ConstructorParameters<typeof DeadLetterQueues>[0]);
  const groups = Array.from({ length: 12 }, (_, n) => `group_${n}`);
  for (const group of groups) queues.add(group, noDeadLetter);
  const stop = measureDeadLetters(queues);
  const shown = await register.getSingleMetricAsString('svc_dead_letters');
  const ages = await register.getSingleMetricAsString('svc_dead_letters_oldest_seconds');
  stop();
  for (const group of groups) {
    expect(shown).toContain(`svc_dead_letters{group="${group}",reason="unknown_type"} 2`);
    expect(ages).toContain(`svc_dead_letters_oldest_seconds{group="${group}",reason="failed"} 90\n`);
    expect(ages).toContain(`svc_dead_letters_oldest_seconds{group="${group}",reason="refused"} 0`);
  }
  expect(most).toBe(deadLetterReasons.length);
});
