/** Whom the page shows: a member, which is a person in one account, and the session that they act by. */
export interface Shown {
  session: string;
  member: string;
}

type Listener = (now: Shown | undefined, before: Shown | undefined) => void;

/** Who is shown, and what has to be forgotten when another is. Undefined: no member, or a session that is not complete. */
export function createShown() {
  let shown: Shown | undefined;
  const listeners = new Set<Listener>();
  return {
    now: (): Shown | undefined => shown,
    /** The answer says, at each call, whether the member who is shown now is shown still. While no member is shown, as before the sign-in, it is always true. */
    still(): () => boolean {
      const member = shown?.member;
      return () => member === undefined || shown?.member === member;
    },
    /** Calls the listeners where the member or the session is another than before, before anything of it is drawn. */
    set(next: Shown | undefined): void {
      const before = shown;
      if (before?.session === next?.session && before?.member === next?.member) return;
      shown = next;
      for (const listener of listeners) listener(next, before);
    },
    whenChanged(listener: Listener): void {
      listeners.add(listener);
    },
  };
}

export const shown = createShown();
