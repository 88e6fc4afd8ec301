import type { Recorded } from '@svc/kernel';
import type { Projection, Row } from '../projection/projection.ts';

/** The row after the events of one stream; undefined where there is none. */
export function rowAfterAll<R extends Row, State>(
  projection: Projection<R, State>,
  events: readonly Recorded[],
): Omit<R, 'ordinal'> | undefined {
  const last = events.at(-1) as Recorded;
  const state = events.reduce((before, event) => projection.evolve(before, event), projection.initialState);
  const row = projection.row(state, last);
  return row && ({ ...row, resource: JSON.stringify(projection.resource(state, last)) } as Omit<R, 'ordinal'>);
}
