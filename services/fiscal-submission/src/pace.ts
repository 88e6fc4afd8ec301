/** `live`: the waits between calls of the authority as they are; `fast`: divided by 100, for tests. */
export const paces = ['live', 'fast'] as const;
export type Pace = (typeof paces)[number];
