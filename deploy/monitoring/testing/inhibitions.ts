import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type AlertLabels = { alertname: string } & Record<string, string>;

interface Inhibition {
  source_matchers: string[];
  target_matchers: string[];
  equal: string[];
}

export const inhibitions = parse(readFileSync(join(import.meta.dirname, '..', 'inhibit-rules.yaml'), 'utf8')) as Inhibition[];

/** `name="value"` or `name=~"pattern"`. A label that an alert does not have is the empty text, as for Alertmanager. */
function fits(matcher: string, labels: AlertLabels): boolean {
  const [, name = '', operator, value = ''] = /^(\w+)(=~|=)"(.*)"$/.exec(matcher) ?? [];
  if (name === '') throw new Error(matcher);
  const found = labels[name] ?? '';
  return operator === '=' ? found === value : new RegExp(`^(?:${value})$`).test(found);
}

/** Whether Alertmanager sends nothing about an alert while another one fires. */
export const mutes = (source: AlertLabels, target: AlertLabels): boolean =>
  inhibitions.some(
    ({ source_matchers, target_matchers, equal }) =>
      source_matchers.every((matcher) => fits(matcher, source)) &&
      target_matchers.every((matcher) => fits(matcher, target)) &&
      equal.every((name) => (source[name] ?? '') === (target[name] ?? '')),
  );
