import 'reflect-metadata';

const personal = Symbol('personal');

/**
 * The field says who a person or company is, or where they are. Callers without personal data read null for every field of this name, whatever class it is in,
 * since events and histories hold fields of documents beside their names.
 */
export const Personal = (): PropertyDecorator => (target, property) => Reflect.defineMetadata(personal, true, target, property);

export const isPersonal = (prototype: object, property: string): boolean => Reflect.hasMetadata(personal, prototype, property);
