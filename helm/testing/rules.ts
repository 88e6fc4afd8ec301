import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { prometheusPrograms } from '../../deploy/monitoring/prometheus.mjs';
import type { AlertRule, Recording, RuleGroup } from './manifests.ts';
import { get, merge, render, type Values } from './render.ts';
import { productCharts } from './services.ts';

const enabled: Values = { global: { metrics: { prometheusRule: { enabled: true } } } };

/** The form of the system that has no chart. */
const ONE_PROCESS = 'one-process';
const monitoring = join(import.meta.dirname, '..', '..', 'deploy', 'monitoring');

/** The groups of rules as a chart renders them, or as they are for one process: in the form of Prometheus' own files. */
export const groupsOf = (chart: string, values: Values = {}): RuleGroup[] =>
  chart === ONE_PROCESS
    ? (parse(readFileSync(join(monitoring, 'rules', 'one-process.yaml'), 'utf8')) as { groups: RuleGroup[] }).groups
    : get(render(chart, merge(enabled, values)), 'PrometheusRule').spec.groups;

const allOf = (chart: string, values: Values) => groupsOf(chart, values).flatMap(({ rules }) => rules);

/** The alerts of a chart. */
export const rulesOf = (chart: string, values: Values = {}): AlertRule[] => allOf(chart, values).filter((rule) => 'alert' in rule);
export const recordingsOf = (chart: string, values: Values = {}): Recording[] => allOf(chart, values).filter((rule) => 'record' in rule);

/** All alerts by name: the name of an alert of several charts means the same in each. */
export const alertNames = (): string[] => [
  ...new Set([...productCharts, ONE_PROCESS].flatMap((chart) => rulesOf(chart)).map(({ alert }) => alert)),
];

/** Runs promtool in a folder of its own with these files. */
export function promtool(files: Record<string, object>, ...args: string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), stringify(content));
    const program = join(prometheusPrograms(), 'promtool');
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
