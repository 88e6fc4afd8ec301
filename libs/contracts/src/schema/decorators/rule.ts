import { ValidateBy, ValidateIf } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import 'reflect-metadata';

export type Schema = Record<string, unknown>;

/** The message for an invalid value: what to send instead. In a schema it is the keyword `words`, which does not validate. */
export type Words = (value: unknown) => string;

/** One rule in both forms: a JSON Schema and a class-validator check, with the message for an invalid value. */
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

/** The field may be left out, but not null. (class-validator's IsOptional allows both.) */
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
