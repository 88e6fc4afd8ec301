/** An error that the caller can fix; shown by its message only. */
export class ServersError extends Error {}
