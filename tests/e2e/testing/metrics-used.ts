import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** A metric that an expression of PromQL reads. */
export interface Used {
  /** The file of the expression. */
  file: string;
  name: string;
  /** `outcome="refused"` as [label, operator, value]. */
  matchers: [label: string, operator: string, value: string][];
  /** The labels by which the expression groups its series. */
  groupedBy: string[];
}

/** Labels that Prometheus adds to what it reads. */
const ADDED = ['job', 'instance', 'namespace', 'pod'];

/** Rules, dashboards and scalers, by where their expressions are. */
const SOURCES: [pattern: string, expression: RegExp][] = [
  ['deploy/monitoring/rules/*.yaml', /^ +expr: (?:\|-\n((?: {10}.+\n)+)|(.+))$/gm],
  ['{helm/invoicing-platform,deploy/one-process}/dashboards/*.json', /"expr": "((?:[^"\\]|\\.)+)"/g],
  ['helm/service-library/templates/_scaledobject.tpl', /^ +query: (.+)$/gm],
];

/** The metrics that all expressions of rules, dashboards and scalers read. */
export function usedMetrics(): Used[] {
  return SOURCES.flatMap(([pattern, expression]) =>
    globSync(pattern, { cwd: root }).flatMap((file) => {
      const found = [...readFileSync(join(root, file), 'utf8').matchAll(expression)];
      if (found.length === 0) throw new Error(`${file} has no expression`);
      return found.flatMap(([, block, line]) => metricsIn(file, (block ?? line ?? '').replaceAll('\\"', '"')));
    }),
  );
}

function metricsIn(file: string, expression: string): Used[] {
  // Labels of scrapes may be text of Helm's.
  const text = expression.replaceAll(/\{\{.*?\}\}/g, 'x');
  const groupedBy = [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)]
    .flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()))
    .filter((label) => !ADDED.includes(label) && label !== 'le');
  return [...text.matchAll(/\b((?:svc|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    file,
    name,
    groupedBy,
    matchers: [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].flatMap(([, label = '', operator = '', value = '']) =>
      ADDED.includes(label) ? [] : [[label, operator, value] as [string, string, string]],
    ),
  }));
}

/** A series of `/metrics`. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
}

export const samplesIn = (text: string): Sample[] =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [label, value])),
  }));

const matchesValue = (operator: string, wanted: string, value: string): boolean => {
  if (wanted.startsWith('$')) return true; // a variable of the dashboard
  const isMatch = operator.includes('~') ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted;
  return operator.startsWith('!') ? !isMatch : isMatch;
};

/** What is missing in the samples for a metric that is used; undefined: nothing. `label` may be one that only an event gives a value. */
export function missing(
  { file, name, matchers, groupedBy }: Used,
  samples: Sample[],
  isLater: (label: string) => boolean,
): string | undefined {
  const series = samples.filter((sample) => sample.name === name);
  if (series.length === 0) return `${name} of ${file}`;
  const unknown = matchers.map(([label]) => label).find((label) => !series.some(({ labels }) => label in labels));
  if (unknown !== undefined) return `the label ${unknown} of ${name} in ${file}`;
  const wanted = matchers.filter(([label]) => !isLater(label));
  const fits = ({ labels }: Sample): boolean =>
    wanted.every(([label, operator, value]) => matchesValue(operator, value, labels[label] ?? ''));
  if (!series.some(fits)) return `${name} with ${JSON.stringify(wanted)} of ${file}`;
  const ungrouped = groupedBy.find((label) => !series.some(({ labels }) => label in labels));
  return ungrouped && `the label ${ungrouped} of ${name} in ${file}`;
}
