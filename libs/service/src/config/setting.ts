import 'reflect-metadata';

export interface SettingOptions {
  /** Its purpose, in one line of `--help`. */
  description: string;
  /** Written as in the environment. A setting without a default is required, unless it has `@IsOptional()`. */
  default?: string | number | boolean;
  /** An empty text is a value of this setting. Otherwise it counts as absent. */
  emptyIsValue?: true;
  /** The value is never shown in errors or in `--help`. */
  secret?: true;
  /** For development only: the Helm charts refuse it unless development is enabled. */
  development?: true;
}

export interface Setting extends SettingOptions {
  name: string;
  /** The value of a text; the text itself if it has none, which the rules of the property then report. */
  read(text: string): unknown;
  /** JSON schema of what may be written for it, for values of Helm charts: a number or boolean as such, all else as its text. */
  schema: object;
}

const SETTINGS = Symbol('settings');
const READ = Symbol('read');
const SCHEMA = Symbol('schema');

/** Reads a property of a config class from the environment variable of its name. Its value is validated by the property's class-validator rules. */
export const Setting =
  (options: SettingOptions): PropertyDecorator =>
  (target, property) => {
    const settings = (Reflect.getMetadata(SETTINGS, target) as Setting[] | undefined) ?? [];
    const type: unknown = Reflect.getMetadata('design:type', target, property);
    // Decorators run from the last to the first: the `read` of a rule below is set already, that of a rule above is set later.
    const read = (text: string): unknown =>
      ((Reflect.getMetadata(READ, target, property) as Setting['read'] | undefined) ?? readerOf(type))(text);
    const setting = {
      ...options,
      name: String(property),
      read,
      get schema() {
        return (Reflect.getMetadata(SCHEMA, target, property) as object | undefined) ?? { type: 'string' };
      },
    };
    Reflect.defineMetadata(SETTINGS, [...settings, setting], target);
  };

/** Sets how a text is read, for rules whose values are not texts, numbers or booleans. */
export const readAs =
  (read: (text: string) => unknown): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(READ, read, target, property);

/** Sets the JSON schema of what may be written. */
export const writtenAs =
  (schema: object): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(SCHEMA, schema, target, property);

/** The settings of a config class in the order of their declaration. */
export const settingsOf = (config: new () => object): readonly Setting[] =>
  (Reflect.getMetadata(SETTINGS, config.prototype as object) as Setting[] | undefined) ?? [];

function readerOf(type: unknown): (text: string) => unknown {
  if (type === Number) return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (type === Boolean) return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  return (text) => text;
}
