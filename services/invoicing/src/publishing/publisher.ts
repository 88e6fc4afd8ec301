import type { Topic } from '@svc/contracts/events/envelope';
import type { Recorded } from '@svc/kernel';

export interface Publication {
  topic: Topic;
  /** `invoicing.invoice-created.v1`; each publication of one event has another. */
  type: string;
  /** The whole resource as of this event. */
  data: object;
}

/** One category's stored events as public ones. Deterministic: asked again it answers the same bytes. Throws `UnknownEvent`. */
export interface Publisher<State = unknown> {
  category: string;
  initialState: State;
  evolve(state: State, recorded: Recorded): State;
  /** True for an event that holds all of the state after it. */
  isWhole?(recorded: Recorded): boolean;
  /** `state`: after the event. [] for what stays private. What subscribers see stands before what they do not. */
  publish(recorded: Recorded, state: State): Publication[];
}
