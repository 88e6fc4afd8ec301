import type { Delay, Registration, Rejection, Tried, VoidRefusal } from './fiscal.ts';

/** What the authority said about a document, told to its decider. `round`: of the submission that it answers. */
export type OutcomeCommand = { at: string } & (
  | { type: 'register'; round: number; registration: Registration }
  | { type: 'reject'; round: number; rejection: Rejection }
  | { type: 'delay'; round: number; delay: Delay }
  | { type: 'cancel'; cancelled: Tried }
  | { type: 'refuse_void'; refusal: VoidRefusal }
);
