import 'reflect-metadata';

export interface SettingOptions {
  /** What it is for, in one line of `--help`. */
  description: string;
  /** As it would be written in the environment. Without one the setting must be given, unless `@IsOptional()` says otherwise. */
  default?: string | number | boolean;
  /** An empty text is a value of its own here, unlike no text at all. Elsewhere both are absent. */
  emptyIsValue?: true;
  /** Its value is never shown, neither in errors nor in `--help`. */
  secret?: true;
}

export interface Setting extends SettingOptions {
  name: string;
  /** The value that a text stands for; the text itself when it stands for none, which the property's rules then refuse. */
  read(text: string): unknown;
}

const SETTINGS = Symbol('settings');
const READ = Symbol('read');

/** Makes a property of a config class the environment variable of its name. Beside it stand the class-validator rules of its value. */
export const Setting =
  (options: SettingOptions): PropertyDecorator =>
  (target, property) => {
    const settings = (Reflect.getMetadata(SETTINGS, target) as Setting[] | undefined) ?? [];
    const type: unknown = Reflect.getMetadata('design:type', target, property);
    // Decorators run from the last to the first: what a rule below says of reading is there, one above comes later.
    const read = (text: string): unknown =>
      ((Reflect.getMetadata(READ, target, property) as Setting['read'] | undefined) ?? readerOf(type))(text);
    Reflect.defineMetadata(SETTINGS, [...settings, { ...options, name: String(property), read }], target);
  };

/** Part of a rule whose values are not texts, numbers or booleans: how the text is read. */
export const readAs =
  (read: (text: string) => unknown): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(READ, read, target, property);

/** The settings of a config class, in the order in which they are written. */
export const settingsOf = (config: new () => object): readonly Setting[] =>
  (Reflect.getMetadata(SETTINGS, config.prototype as object) as Setting[] | undefined) ?? [];

function readerOf(type: unknown): (text: string) => unknown {
  if (type === Number) return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (type === Boolean) return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  return (text) => text;
}
