import { eventTypes } from './domain/events.ts';
import { versionOf } from './stored-events.ts';

/** Every type of event that this service stores, by category, with the version that is written today. */
export const storedTypes: Record<string, Record<string, number>> = {
  submission: Object.fromEntries(eventTypes.map((type) => [type, versionOf()])),
};
