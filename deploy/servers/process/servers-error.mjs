/** What whoever called can mend; told by its message alone. */
export class ServersError extends Error {}
