import { chainEvents } from '../chain/chains.ts';
import { submissionEvents } from './domain/events.ts';

/** All stored event types by category, with the version written today. */
export const storedTypes: Record<string, Record<string, number>> = {
  submission: submissionEvents.versions,
  chain: chainEvents.versions,
};
