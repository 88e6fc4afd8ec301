/** The behaviour of one kind of stream, as pure functions. Time, ids and numbers arrive in the command. */
export interface Decider<State, Command, Event extends { type: string }> {
  readonly initialState: State;
  /** The events that the command causes; [] when it changes nothing. Throws `DomainError` when it is not possible in this state. */
  decide(command: Command, state: State): Event[];
  evolve(state: State, event: Event): State;
}

export interface DomainEvent {
  type: string;
  data: object;
}
