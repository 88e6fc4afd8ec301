import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { umbrella } from '../charts.mjs';
import { chartsFolder, documentedValues, type DocumentedValue } from './documented-values.ts';
import { settingsOfChart, valueOf } from './settings.ts';

/** The README of a chart: its settings as their class describes them, then all values as values.yaml does. */
export function readme(chart: string): string {
  const { description } = parse(readFileSync(join(chartsFolder, chart, 'Chart.yaml'), 'utf8')) as { description: string };
  const install = `helm install ${chart === umbrella ? 'invoicing' : chart} dist/charts/${chart}-[0-9]*.tgz --namespace invoicing --values my-values.yaml`;
  return [
    `# ${chart}`,
    description,
    `\`\`\`sh\nnpm run charts   # packages all charts into dist/charts\n${install}\n\`\`\``,
    'What the charts have in common is in [helm/README.md](../README.md). This page is made by `npm run charts:describe` from the configuration class of the service and the lines in `values.yaml`.',
    ...(chart === umbrella ? [] : ['## Settings', settings(chart)]),
    '## Values',
    table(['value', 'default', 'what'], documentedValues(chart).map(row)),
  ].join('\n\n');
}

const row = ({ path, default: value, description }: DocumentedValue): string[] => [code(path.join('.')), shown(value), description];

function settings(chart: string): string {
  return table(
    ['variable', 'value', 'the program’s default', 'what'],
    settingsOfChart(chart).map((setting) => {
      const { name, description, default: value } = setting;
      return [code(name), code(valueOf(setting)), value === undefined || value === '' ? '' : code(String(value)), description];
    }),
  );
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
const LONGEST = 60;

function shown(value: unknown): string {
  if (value === '') return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? 'see `values.yaml`' : code(text);
}
