/** A class whose decorators describe a published shape. */
export type Class<T extends object = object> = new () => T;

/** The name of a shape in the published document: that of its class without the suffix `Resource`. */
export const nameOf = (shape: Class): string => shape.name.replace(/Resource$/, '');
