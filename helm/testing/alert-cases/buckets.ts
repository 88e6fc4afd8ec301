import type { Series } from '../alert-case.ts';

/** The buckets of a histogram, by their bounds. */
export const bucket = (name: string, labels: string, counts: Record<string, string>): Series =>
  Object.fromEntries(Object.entries(counts).map(([le, values]) => [`${name}_bucket{${labels}${labels && ','}le="${le}"}`, values]));
