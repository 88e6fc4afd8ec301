/** `live`: real waits between calls of the authority; `fast`: divided by 100, for tests. */
export const paces = ['live', 'fast'] as const;
export type Pace = (typeof paces)[number];
