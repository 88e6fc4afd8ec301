import { compareAndSet, type Collection } from '@svc/document-store';
import { OutcomeUnknown, type Clock } from '@svc/kernel';
import type { DeadLetter } from '../dead-letter.ts';

/** How long a process has a letter to itself, from when it took it or last stored its progress. */
const HOLD_MS = 60_000;

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
  const held = (): Pick<DeadLetter, 'held_until'> => ({ held_until: clock.now() + HOLD_MS });
  const [taken] = await letters.claim({ _id: found._id, version: found.version }, { set: held() });
  if (!taken) return undefined;
  let letter = taken;

  /** Changes the letter, which may have grown; false when it is no longer this process's. */
  async function change(to: (letter: DeadLetter) => Partial<DeadLetter>): Promise<boolean> {
    const { doc, changed } = await compareAndSet(letters, letter._id, {
      absent: () => undefined,
      change: (now) => (now.held_until === letter.held_until ? to(now) : undefined),
    });
    if (changed && doc) letter = doc;
    return changed;
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
