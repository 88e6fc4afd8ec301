import { validateSync } from 'class-validator';
import { type Misspelt, misspelt } from './misspelt.ts';
import { settingsOf } from './setting.ts';

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
 * its default. An empty variable counts as absent unless `emptyIsValue` is set. Throws `ConfigError`,
 * also for a variable whose name is nearly that of a setting.
 */
export function loadConfig<T extends object>(config: new () => T, env: Readonly<Record<string, string | undefined>>): T {
  const loaded = new config();
  const settings = settingsOf(config);
  for (const setting of settings) {
    const given = setting.emptyIsValue ? env[setting.name] : env[setting.name] || undefined;
    const text = given ?? setting.default;
    if (text !== undefined) Object.assign(loaded, { [setting.name]: setting.read(String(text)) });
  }
  const wrong = validateSync(loaded, { forbidUnknownValues: false }).map(({ property, constraints }) => {
    const was = env[property] || undefined;
    const secret = settings.find(({ name }) => name === property)?.secret;
    return {
      name: property,
      was: was && (secret ? '(hidden)' : JSON.stringify(was)),
      expected: Object.values(constraints ?? {}).join(', '),
    };
  });
  const names = settings.map(({ name }) => name);
  const near = misspelt(env, names);
  if (wrong.length > 0 || near.length > 0) throw new ConfigError(wrong, near);
  return loaded;
}
