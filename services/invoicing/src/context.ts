/** Nest's injection token of what the controllers work with: a `DocumentContext`. */
export const CONTEXT = Symbol('Context');
