import type { Delay, Registration, Rejection, Tried, VoidRefusal } from './fiscal.ts';

/** What the authority said about a document, told to its decider. `round`: of the submission that it answers. */
export type OutcomeCommand = { at: string } & (
  | { type: 'register'; round: number; registration: Registration }
  | { type: 'reject'; round: number; rejection: Rejection }
  | { type: 'delay'; round: number; delay: Delay }
  | { type: 'cancel'; cancelled: Tried }
  | { type: 'refuse_void'; refusal: VoidRefusal }
);

const types: Record<OutcomeCommand['type'], true> = { register: true, reject: true, delay: true, cancel: true, refuse_void: true };

/** Whether a command is what the authority said, not what a caller asks. */
export const isOutcome = ({ type }: { type: string }): boolean => Object.hasOwn(types, type);
