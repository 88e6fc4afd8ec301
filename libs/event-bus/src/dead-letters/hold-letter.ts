import { OutcomeUnknown, type Clock } from '@svc/kernel';
import type { Collection } from '@svc/document-store';
import type { DeadLetter } from '../dead-letter.ts';

/** How long a process has a letter to itself, from when it took it or last stored its progress. */
export const HOLD_MS = 60_000;

/** A letter that this process has in hand. */
export interface HeldLetter {
  /** As it was stored last by this process, or grew since. */
  readonly letter: DeadLetter;
  /** Stores progress, and holds the letter for as long again. Throws `OutcomeUnknown` where another process has it by now, or it is gone. */
  save(change: (letter: DeadLetter) => Partial<DeadLetter>): Promise<void>;
  /** Lets go of it, with these changes; does nothing where another process has it by now, or it is gone. */
  release(change: Partial<DeadLetter>): Promise<void>;
  /** Deletes it, unless it has grown meanwhile: then it is let go. */
  remove(): Promise<void>;
}

/** Takes a letter in hand; undefined where it changed since it was read. */
export async function holdLetter(letters: Collection<DeadLetter>, found: DeadLetter, clock: Clock): Promise<HeldLetter | undefined> {
  const set = async ({ _id, version }: DeadLetter, change: Partial<DeadLetter>): Promise<DeadLetter | undefined> =>
    (await letters.claim({ _id, version }, { set: change }))[0];
  const held = (): Pick<DeadLetter, 'held_until'> => ({ held_until: clock.now() + HOLD_MS });
  const taken = await set(found, held());
  if (!taken) return undefined;
  let letter = taken;

  /** False: it is no longer this process's. */
  async function change(to: (letter: DeadLetter) => Partial<DeadLetter>): Promise<boolean> {
    for (;;) {
      const changed = await set(letter, to(letter));
      if (changed) {
        letter = changed;
        return true;
      }
      const now = await letters.get(letter._id);
      if (now?.held_until !== letter.held_until) return false;
      letter = now; // it has grown
    }
  }

  return {
    get letter() {
      return letter;
    },
    async save(to) {
      if (!(await change((before) => ({ ...to(before), ...held() })))) throw new OutcomeUnknown('another process took the dead letter');
    },
    async release(to) {
      await change(() => ({ ...to, held_until: 0 }));
    },
    async remove() {
      await letters.write([{ delete: letter._id, version: letter.version }]);
      await change(() => ({ held_until: 0 }));
    },
  };
}
