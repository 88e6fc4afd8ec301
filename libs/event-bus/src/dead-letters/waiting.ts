import type { PublicEvent } from '@svc/contracts/events/envelope';
import { lineOf, type DeadLetters } from '../dead-letter.ts';

const AT_ONCE = 500;

/**
 * The subjects of a batch whose earlier events wait for a release that knows them. Read from the store each time: another replica may have
 * stored or handled letters.
 */
export async function waitingSubjects(deadLetters: DeadLetters, group: string, topic: string, events: PublicEvent[]): Promise<Set<string>> {
  const letters = deadLetters(group);
  const subjects = [...new Set(events.map(({ subject }) => subject))];
  const waiting = new Set<string>();
  for (let n = 0; n < subjects.length; n += AT_ONCE) {
    const some = subjects.slice(n, n + AT_ONCE);
    if ((await letters.count({ line: { $in: some.map((subject) => lineOf(topic, subject)) } })) === 0) continue;
    for (const subject of some) if ((await letters.count({ line: lineOf(topic, subject) })) > 0) waiting.add(subject);
  }
  return waiting;
}
