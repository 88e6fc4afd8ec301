import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type AlertLabels = Record<string, string>;
interface Inhibition {
  source_matchers: string[];
  target_matchers: string[];
  equal: string[];
}

const path = join(import.meta.dirname, '..', '..', 'deploy', 'monitoring', 'inhibit-rules.yaml');
const rules = parse(readFileSync(path, 'utf8')) as Inhibition[];

/** Alertmanager's rule: an absent label is an empty one; expressions match the whole value. */
function matches(matchers: string[], labels: AlertLabels): boolean {
  return matchers.every((matcher) => {
    const [, label = '', operator, value = ''] = /^(\w+)(=~?)"(.*)"$/.exec(matcher) ?? [];
    const own = labels[label] ?? '';
    return operator === '=~' ? new RegExp(`^(?:${value})$`).test(own) : own === value;
  });
}

/** Whether a firing alert keeps another one from paging, by inhibit-rules.yaml. */
export const inhibits = (source: AlertLabels, target: AlertLabels): boolean =>
  rules.some(
    ({ source_matchers, target_matchers, equal }) =>
      matches(source_matchers, source) && matches(target_matchers, target) && equal.every((label) => source[label] === target[label]),
  );
