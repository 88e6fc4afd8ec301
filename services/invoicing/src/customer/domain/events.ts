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
  | At<'CustomerUpdated', Whole | { personal?: Personal | null; language?: string | null; metadata?: Record<string, string> }>
  | At<'CustomerDeleted', Whole | object>
  | At<'CustomerErased', Whole | object>;

/**
 * The customer after the event, so that its stream may have any length. Older releases wrote, and read, what changed alone: these
 * fields they take for changes, to what already is.
 */
type Whole = Omit<CustomerState, 'updated_at'>;

/** True where nothing before the event matters any more. */
export const isWhole = ({ type, data }: CustomerEvent): boolean => type === 'CustomerCreated' || 'created_at' in data;

/** Version of each shape as it is written today. */
export const customerEventVersions: Record<CustomerEvent['type'], number> = {
  CustomerCreated: 1,
  CustomerUpdated: 1,
  CustomerDeleted: 1,
  CustomerErased: 1,
};
