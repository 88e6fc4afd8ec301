import { validateSync } from 'class-validator';
import { type Misspelt, misspelt } from './misspelt.ts';
import { fileOf, secretsInFiles } from './secret-files.ts';
import { type Setting, settingsOf } from './setting.ts';

export interface WrongSetting {
  name: string;
  /** The value in the environment; undefined if it is not set; `(hidden)` for a secret. */
  was: string | undefined;
  expected: string;
}

/** The environment has missing, wrong or misspelt settings. The message lists each with its value and the allowed values, or the name that is meant. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(
    readonly wrong: readonly WrongSetting[],
    readonly misspelt: readonly Misspelt[] = [],
  ) {
    super(
      [
        ...misspelt.map(({ name, meant }) => `${name} is no setting; ${meant} is. Rename it, or remove it from the environment`),
        ...wrong.map(({ name, was, expected }) => `${name} ${was === undefined ? 'is not set' : `is ${was}`}; it must be ${expected}`),
      ].join('\n'),
    );
  }
}

/**
 * Makes an instance of a config class from environment variables. A property with `@Setting` is read from the variable of its name, else it has
 * its default. An empty variable counts as absent unless `emptyIsValue` is set. A secret may be in a file that `<NAME>_FILE` names. Throws `ConfigError`,
 * also for a variable whose name is nearly that of a setting.
 */
export function loadConfig<T extends object>(config: new () => T, env: Readonly<Record<string, string | undefined>>): T {
  const loaded = new config();
  const settings = settingsOf(config);
  const secrets = settings.filter(({ secret }) => secret).map(({ name }) => name);
  const { found, wrong: unread } = secretsInFiles(env, secrets);
  const isUnread = new Set(unread.map(({ name }) => name));
  for (const setting of settings) {
    const given = found[setting.name] ?? givenIn(env, setting);
    const text = given ?? setting.default;
    if (text !== undefined) Object.assign(loaded, { [setting.name]: setting.read(String(text)) });
  }
  const invalid = validateSync(loaded, { forbidUnknownValues: false }).filter(({ property }) => !isUnread.has(fileOf(property)));
  const wrong = invalid.map(({ property, constraints }) => {
    const was = found[property] ?? (env[property] || undefined);
    const secret = secrets.includes(property);
    return {
      name: property,
      was: was && (secret ? '(hidden)' : JSON.stringify(was)),
      expected: Object.values(constraints ?? {}).join(', '),
    };
  });
  const names = [...settings.map(({ name }) => name), ...secrets.map(fileOf)];
  const near = misspelt(env, names);
  if (unread.length > 0 || wrong.length > 0 || near.length > 0) throw new ConfigError([...unread, ...wrong], near);
  return loaded;
}

const givenIn = (env: Readonly<Record<string, string | undefined>>, { name, emptyIsValue }: Setting): string | undefined =>
  emptyIsValue ? env[name] : env[name] || undefined;
