/** A class of this library: its decorators are the one description of a shape. */
export type Class<T extends object = object> = new () => T;

/** The name a shape has in the published document: that of its class, without the `Resource` that tells it from a request. */
export const nameOf = (shape: Class): string => shape.name.replace(/Resource$/, '');
