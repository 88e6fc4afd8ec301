import type { CustomerState, Personal } from './state.ts';

interface At<Type extends string, Data> {
  type: Type;
  /** `at`: ISO 8601. */
  data: Data & { at: string };
}

export type CustomerEvent =
  | At<
      'CustomerCreated',
      { id: string; livemode: boolean; personal: Personal | null; language: string | null; metadata: Record<string, string> }
    >
  | At<'CustomerUpdated', Whole>
  | At<'CustomerDeleted', Whole>
  | At<'CustomerErased', Whole>;

/** The customer after the event, so that its stream may have any length. */
type Whole = Omit<CustomerState, 'updated_at'>;

/** No earlier event is needed to read the state. */
export const isWhole = (): boolean => true;

/** The version of each event type that is written today. */
export const customerEventVersions: Record<CustomerEvent['type'], number> = {
  CustomerCreated: 1,
  CustomerUpdated: 1,
  CustomerDeleted: 1,
  CustomerErased: 1,
};
