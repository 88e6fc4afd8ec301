import type { Topic } from '@svc/contracts/events/envelope';
import type { Recorded } from '@svc/kernel';

/** What a stored event becomes for one topic. */
export interface Publication {
  topic: Topic;
  /** `invoicing.invoice-created.v1`; each publication of one event has another. */
  type: string;
  /** The whole resource as of this event. */
  data: object;
}

/** Turns one category's stored events into public ones. Deterministic: a repeated call returns the same bytes. Throws `UnknownEvent`. */
export interface Publisher<State = unknown> {
  category: string;
  initialState: State;
  evolve(state: State, recorded: Recorded): State;
  /** True for an event that holds all of the state after it. */
  isWhole?(recorded: Recorded): boolean;
  /** `state`: after the event. [] for what stays private. Publications for subscribers come before those for registration. */
  publish(recorded: Recorded, state: State): Publication[];
}
