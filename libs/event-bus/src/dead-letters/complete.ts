import type { Collection } from '@svc/document-store';
import { deadLetterReasons, foundBy, type DeadLetter } from '../dead-letter.ts';

const AT_ONCE = 100;

/** Adds the fields that letters are found by to letters of older releases, which may run beside this one. */
export async function completeLetters(letters: Collection<DeadLetter>): Promise<void> {
  for (;;) {
    const old = letters.find({ reason: null as never }, { limit: AT_ONCE });
    let found = 0;
    for await (const { _id, version, event, error } of old) {
      found += 1;
      const reason: DeadLetter['reason'] = error.startsWith('broken envelope') ? 'broken_envelope' : deadLetterReasons[0];
      await letters.claim({ _id, version }, { set: { reason, ...foundBy(event), line: null, held_until: 0 } });
    }
    if (found < AT_ONCE) return;
  }
}
