import { type Calculated, checkCalculated } from '@svc/contracts/schema/calculated';
import type { Decider, DomainEvent } from '@svc/kernel';

/** What a command is decided on. `version`: as callers see it; below 1 where nothing is yet. */
interface On<State> {
  state: State;
  version: number;
}

/**
 * Compares the calculated fields that a caller sent with the resource as it is and as the command makes it, which is decided on for them alone.
 * Returns the command. Throws validation_error for other values, and what the decision throws. `resource`: undefined where callers see none.
 */
export const calculatedCheck =
  <State, Command, Event extends DomainEvent>(
    { decide, evolve }: Pick<Decider<State, Command, Event>, 'decide' | 'evolve'>,
    resource: (state: State, version: number) => object | undefined,
  ) =>
  (sent: Calculated | undefined, command: Command, { state, version }: On<State>): Command => {
    const shown = (one: State): object | undefined => resource(one, Math.max(version, 1));
    if (sent) checkCalculated(sent, shown(state) ?? null, () => shown(decide(command, state).reduce(evolve, state)) ?? {});
    return command;
  };
