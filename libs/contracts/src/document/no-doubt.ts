import { type DomainError, invalidState } from '@svc/kernel';

/** What a document's resource says of itself. */
export interface DocumentStatus {
  status: string;
  available_actions: readonly string[];
}

/**
 * The refusal of a resolution where nothing is in doubt. `resolve` is never among the actions that it names: the document came to be in doubt after
 * the decision, and a repeat finds it so.
 */
export const noDoubt = ({ status, available_actions }: DocumentStatus): DomainError =>
  invalidState(
    'Resolution',
    status,
    available_actions.filter((action) => action !== 'resolve'),
  );
