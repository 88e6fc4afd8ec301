import type { Day } from '@svc/kernel';
import type { Amendment, Delay, Preparation, Registration, Rejection, Tried, VoidRefusal } from './fiscal.ts';
import type { Reversal, ReversalRefusal } from './reversal.ts';

export interface At<Type extends string, Data> {
  type: Type;
  /** `at`: ISO 8601. */
  data: Data & { at: string };
}

/** What can happen to every document that has its number. A document stores it under its own name: `InvoiceRegistered`, `ReceiptRegistered`. */
export type FiscalEvent =
  /** A type of its own: releases without it show code and link once it is registered. */
  | At<'Prepared', Preparation & { round: number }>
  | At<'Registered', Registration & { round: number }>
  /** A type of its own: releases without it show the warnings of the registration. */
  | At<'Amended', Amendment & { round: number }>
  | At<'Rejected', Rejection & { round: number }>
  | At<'Delayed', Delay & { round: number }>
  | At<'VoidRequested', { reason: string }>
  /** By the caller where nothing was registered, else by the authority. `reason`: null for a draft alone. `issue_date`: of the corrective that carries it out. */
  | At<'Voided', { reason: string | null; cancelled: Tried | null; issue_date?: Day }>
  | At<'VoidRefused', VoidRefusal>
  /** Of a document whose authority annuls nothing. A type of its own, as releases without it would ask the authority to annul. */
  | At<'ReversalRequested', { reason: string } & Reversal>
  /** Its corrective is not registered and will not be. */
  | At<'ReversalRefused', ReversalRefusal>;

type Stored<Name extends string, Event extends FiscalEvent> = Event extends FiscalEvent
  ? { type: `${Name}${Event['type']}`; data: Event['data'] }
  : never;
/** The same as a document called `Name` stores it. */
export type FiscalEventOf<Name extends string> = Stored<Name, FiscalEvent>;

const types: Record<FiscalEvent['type'], true> = {
  Prepared: true,
  Registered: true,
  Amended: true,
  Rejected: true,
  Delayed: true,
  VoidRequested: true,
  Voided: true,
  VoidRefused: true,
  ReversalRequested: true,
  ReversalRefused: true,
};

/** Versions of their shapes as they are written today. */
export const fiscalEventVersions = <Name extends string>(name: Name) =>
  Object.fromEntries(Object.keys(types).map((type) => [`${name}${type}`, 1])) as Record<FiscalEventOf<Name>['type'], 1>;

export const stored = <Name extends string>(name: Name, { type, data }: FiscalEvent): FiscalEventOf<Name> =>
  ({ type: `${name}${type}`, data }) as FiscalEventOf<Name>;

export const isFiscalEvent = <Name extends string>(name: Name, event: { type: string }): event is FiscalEventOf<Name> =>
  event.type.startsWith(name) && Object.hasOwn(types, event.type.slice(name.length));

/** What a stored event of a document called `name` is for every document. */
export const fiscalEvent = <Name extends string>(name: Name, { type, data }: FiscalEventOf<Name>): FiscalEvent =>
  ({ type: type.slice(name.length), data }) as FiscalEvent;
