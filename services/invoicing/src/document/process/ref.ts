import type { Env, EventMetadata } from '@svc/kernel';

/** A document, wherever it stands. */
export interface DocumentRef {
  account: string;
  env: Env;
  id: string;
}

/** Metadata of a step: without a command id, which stands in the event of the command that began the process. */
export type Continuing = Omit<EventMetadata, 'v' | 'command_id'>;
