import { validateSync } from 'class-validator';
import { fileOf } from './secret-files.ts';
import { settingsOf } from './setting.ts';

/** The settings of a config class as text for `--help`: name, default, allowed values, description. */
export function describeConfig(config: new () => object): string {
  const settings = settingsOf(config);
  const may = rulesOf(
    config,
    settings.map(({ name }) => name),
  );
  const width = Math.max(0, ...settings.map(({ name }) => name.length));
  return settings
    .map(({ name, description, default: value, secret }) => {
      const shown = value === undefined || value === '' ? '' : ` [${secret ? 'hidden' : value}]`;
      const rule = [may.get(name), secret && `or ${fileOf(name)}: a file that holds it`].filter(Boolean).join('; ');
      return `  ${name.padEnd(width)}  ${description}${shown}\n  ${''.padEnd(width)}  ${rule}\n`;
    })
    .join('');
}

/** The messages of all rules, collected by validating values that break every rule. */
function rulesOf(config: new () => object, names: string[]): Map<string, string> {
  const wrong = Object.assign(new config(), Object.fromEntries(names.map((name) => [name, {}])));
  const errors = validateSync(wrong, { forbidUnknownValues: false });
  return new Map(errors.map(({ property, constraints }) => [property, Object.values(constraints ?? {}).join(', ')]));
}
