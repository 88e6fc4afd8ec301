import { systemClock, type Clock } from '@svc/kernel';
import type { SimulatorProcess } from '../../testing/simulator-process.ts';

/** The clocks of an issuer and of its authority, which go on together. Times are milliseconds since 1970. */
export interface BothClocks {
  /** The issuer's. */
  clock: Clock;
  /** By how much the issuer's is ahead of the authority's; negative: behind. */
  wrongBy(): number;
  setWrong(ms: number): void;
  /** One of them was just set: a message on its way may have an earlier time. */
  isJustSet(): boolean;
  /** Both go on at once, by whole seconds. */
  pass(ms: number): Promise<void>;
}

/** From the time that a message states to its call, in milliseconds of the machine's own clock. */
const ON_ITS_WAY_MS = 500;

/** Clocks that are right at first. */
export async function bothClocks(simulator: SimulatorProcess, authority: string): Promise<BothClocks> {
  let passed = 0;
  let wrong = 0;
  let setAt = 0;
  const pass = async (ms: number): Promise<void> => {
    await simulator.operate('/clock', { authority, ahead: (passed + ms) / 1_000 });
    passed += ms;
    if (ms > 0) setAt = systemClock.now();
  };
  await pass(0);
  return {
    clock: { ...systemClock, now: () => systemClock.now() + passed + wrong },
    wrongBy: () => wrong,
    setWrong(ms) {
      wrong = ms;
      setAt = systemClock.now();
    },
    isJustSet: () => systemClock.now() - setAt < ON_ITS_WAY_MS,
    pass,
  };
}
