import type { Personal } from './state.ts';

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
  /** What changed alone; of the personal data all, as it is sealed as one. */
  | At<'CustomerUpdated', { personal?: Personal | null; language?: string | null; metadata?: Record<string, string> }>
  | At<'CustomerDeleted', object>
  | At<'CustomerErased', object>;

/** Version of each shape as it is written today. */
export const customerEventVersions: Record<CustomerEvent['type'], number> = {
  CustomerCreated: 1,
  CustomerUpdated: 1,
  CustomerDeleted: 1,
  CustomerErased: 1,
};
