import { compareAndSet, type Collection } from '@svc/document-store';
import { OutcomeUnknown, type Clock, waitGoesOn } from '@svc/kernel';
import type { DeadLetter } from '../dead-letter.ts';

/** How long a process holds a dead letter after it took it or last stored its progress. */
const HOLD_MS = 60_000;

/** Whether a process holds it. */
export const isHeld = ({ held_until: until }: DeadLetter, clock: Pick<Clock, 'now'>): boolean => waitGoesOn(until, clock.now(), HOLD_MS);

/** A dead letter that this process holds: no other process works on it. */
export interface HeldDeadLetter {
  /** As this process stored it last; other processes may have added events since. */
  readonly deadLetter: DeadLetter;
  /** Stores progress and extends the hold. Throws `OutcomeUnknown` where another process holds it by now, or it is deleted. */
  save(change: (deadLetter: DeadLetter) => Partial<DeadLetter>): Promise<void>;
  /** Ends the hold with these changes; does nothing where another process holds it by now, or it is deleted. */
  release(change: Partial<DeadLetter>): Promise<void>;
  /** Deletes it, or only ends the hold where events were added meanwhile. */
  remove(): Promise<void>;
}

/** Takes the hold; undefined where the dead letter has changed since it was read. */
export async function holdDeadLetter(
  deadLetters: Collection<DeadLetter>,
  found: DeadLetter,
  clock: Clock,
): Promise<HeldDeadLetter | undefined> {
  const held = (): Pick<DeadLetter, 'held_until'> => ({ held_until: clock.now() + HOLD_MS });
  const [taken] = await deadLetters.claim({ _id: found._id, version: found.version }, { set: held() });
  if (!taken) return undefined;
  let deadLetter = taken;

  /** Changes the dead letter, to which events may have been added; false where this process no longer holds it. */
  async function change(to: (deadLetter: DeadLetter) => Partial<DeadLetter>): Promise<boolean> {
    const { doc, changed } = await compareAndSet(deadLetters, deadLetter._id, {
      absent: () => undefined,
      change: (now) => (now.held_until === deadLetter.held_until ? to(now) : undefined),
    });
    if (changed && doc) deadLetter = doc;
    return changed;
  }

  return {
    get deadLetter() {
      return deadLetter;
    },
    async save(to) {
      if (!(await change((before) => ({ ...to(before), ...held() })))) throw new OutcomeUnknown('another process took the dead letter');
    },
    async release(to) {
      await change(() => ({ ...to, held_until: 0 }));
    },
    async remove() {
      await deadLetters.write([{ delete: deadLetter._id, version: deadLetter.version }]);
      await change(() => ({ held_until: 0 }));
    },
  };
}
