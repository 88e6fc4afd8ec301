import { ValidateBy, ValidateIf } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import 'reflect-metadata';

export type Schema = Record<string, unknown>;

/** What to send instead of a value that was refused. A schema carries them as the keyword `words`, which judges nothing. */
export type Words = (value: unknown) => string;

/** One check in both of its forms: a JSON Schema that judges, and what class-validator goes by, with words for what was refused. */
export interface Rule {
  name: string;
  schema: () => Schema;
  holds: (value: unknown) => boolean;
  /** What to send instead. */
  message: string | Words;
}

export const rule =
  ({ name, schema, holds, message }: Rule): PropertyDecorator =>
  (target, property) => {
    const words: Words = typeof message === 'string' ? () => message : message;
    ValidateBy({
      name,
      validator: { validate: (value) => holds(value), defaultMessage: (args) => words(args?.value) },
    })(target, property as string);
    JSONSchema(() => ({ ...schema(), words }) as ReturnType<typeof schema>)(target, property as string);
  };

const optional = Symbol('optional');
const nullable = Symbol('nullable');

/** The field may be left out. Null is another matter: class-validator's own IsOptional lets both pass. */
export const Optional = (): PropertyDecorator => (target, property) => {
  Reflect.defineMetadata(optional, true, target, property);
  ValidateIf((_, value) => value !== undefined)(target, property as string);
};

/** The field may be null. */
export const Nullable = (): PropertyDecorator => (target, property) => {
  Reflect.defineMetadata(nullable, true, target, property);
  ValidateIf((_, value) => value !== null)(target, property as string);
};

export const isOptional = (prototype: object, property: string): boolean => Reflect.hasMetadata(optional, prototype, property);
export const isNullable = (prototype: object, property: string): boolean => Reflect.hasMetadata(nullable, prototype, property);
