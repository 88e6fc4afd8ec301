import { eventTypes } from './domain/events.ts';
import { versionOf } from './stored-events.ts';

/** All stored event types by category, with the version written today. */
export const storedTypes: Record<string, Record<string, number>> = {
  submission: Object.fromEntries(eventTypes.map((type) => [type, versionOf()])),
};
