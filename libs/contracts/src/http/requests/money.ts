/** An amount, quantity or percentage in a request: a JSON number or a decimal string. `numberText` of the kernel gives its digits. */
export type MoneyInput = number | string;
/** Pairs as given in a request. */
export type MetadataInput = Record<string, string>;
/** Pairs to merge; null removes one, null in place of the whole empties it. */
export type MetadataPatch = Record<string, string | null> | null;
