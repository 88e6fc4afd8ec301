/** For so long after a touch or a key what the page reads is of the person before it. */
const HERE_MS = 60_000;
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

/** Whether a person is before the page: what it reads by itself keeps no session open. */
export function createPresence(now: () => number) {
  let last = now();
  return {
    act: (): void => void (last = now()),
    isHere: (): boolean => now() - last < HERE_MS,
  };
}

export const presence = createPresence(() => Date.now());
for (const act of ACTS) globalThis.addEventListener?.(act, presence.act, { capture: true, passive: true });
