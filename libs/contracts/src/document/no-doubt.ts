import { type DomainError, invalidState } from '@svc/kernel';

/** What a document's resource says of itself. */
export interface DocumentStatus {
  status: string;
  available_actions: readonly string[];
}

/** The refusal of a resolution where nothing is in doubt. */
export const noDoubt = ({ status, available_actions }: DocumentStatus): DomainError =>
  invalidState('Resolution', status, available_actions);

/** Whether the resource says that the document can be resolved. It may be behind what is known of its submission. */
export const saysInDoubt = ({ available_actions }: DocumentStatus): boolean => available_actions.includes('resolve');
