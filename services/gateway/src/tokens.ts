/** Injection tokens of the gateway's module. */
export const ACCOUNTS = Symbol('AccountsContext');
export const PUBLIC_URL = Symbol('publicUrl');
export const GATEWAY = Symbol('Gateway');
