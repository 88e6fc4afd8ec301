/** Plain functions that hold a document's whole behaviour. Time, ids and numbers arrive in the command; a refusal is thrown. */
export interface Decider<State, Command, Event extends { type: string }> {
  readonly initialState: State;
  /** What happens now: [] when the command changes nothing. Throws `Refusal`. */
  decide(command: Command, state: State): Event[];
  evolve(state: State, event: Event): State;
}

export interface DomainEvent {
  type: string;
  data: object;
}
