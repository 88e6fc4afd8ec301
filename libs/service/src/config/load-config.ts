import { validateSync } from 'class-validator';
import { settingsOf } from './setting.ts';

export interface WrongSetting {
  name: string;
  /** The value in the environment; undefined if it is not set; `(hidden)` for a secret. */
  was: string | undefined;
  expected: string;
}

/** The environment has missing or wrong settings. The message lists each with its value and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly wrong: readonly WrongSetting[]) {
    super(
      wrong
        .map(({ name, was, expected }) => `${name} ${was === undefined ? 'is not set' : `is ${was}`}; it must be ${expected}`)
        .join('\n'),
    );
  }
}

/**
 * Makes an instance of a config class from environment variables. A property with `@Setting` is read from the variable of its name, else it has
 * its default. An empty variable counts as absent unless `emptyIsValue` is set. Throws `ConfigError`.
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
  if (wrong.length > 0) throw new ConfigError(wrong);
  return loaded;
}
