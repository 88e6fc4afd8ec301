import type { Details } from '@svc/kernel';
import type { Numbering, NumberTaken } from '../../numbering/domain/numbering.ts';
import type { FrozenCustomer, FrozenParties, NamedCustomer } from './parties.ts';

/** A document that asked for its number, which is being taken: nothing else can happen to it. `null` as customer: it names none. */
export interface BeingNumbered<None extends null = never> {
  status: 'being_numbered';
  numbering: Numbering;
  /** Which time a number is asked for, from 1: the answer to an earlier request does not count. Absent: it asks once. */
  request?: number;
  /** The customer's personal data stand in the stream alone, so that erasing them leaves no copy. Of a corrective that carries out a void: in clear. */
  parties: FrozenParties<NamedCustomer | FrozenCustomer | None>;
}

export const isBeingNumbered = (state: object | null): state is BeingNumbered<null> =>
  state !== null && 'status' in state && state.status === 'being_numbered';

/** The answer of the series to `request`. `parties`: as a legal record. */
export type NumberCommand = { at: string; request: number } & (
  { type: 'number'; taken: NumberTaken; parties: FrozenParties<FrozenCustomer | null> } | { type: 'refuse_number'; details: Details }
);
