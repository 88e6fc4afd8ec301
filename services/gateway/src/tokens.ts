/** Tokens of what the gateway's module provides. */
export const ACCOUNTS = Symbol('AccountsContext');
export const PUBLIC_URL = Symbol('publicUrl');
export const GATEWAY = Symbol('Gateway');
