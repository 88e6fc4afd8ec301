import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { assembleCharts, umbrella } from '../tools/charts.mjs';
import { helmProgram } from '../tools/helm.mjs';
import type { Kinds, Manifest } from './manifests.ts';

export type Values = Record<string, unknown>;

const examplesFolder = join(import.meta.dirname, '..', 'examples');
/** One for the test files of a process: it stays until its end. */
const folder = join(tmpdir(), `svc-helm.${process.pid}`);
assembleCharts(folder);
process.once('exit', () => rmSync(folder, { recursive: true }));

/** The folder of a chart with its dependencies in it. */
export const chartFolder = (chart: string): string => join(folder, chart);

const settings = { kafkaBrokers: 'kafka-1:9092,kafka-2:9093', publicUrl: 'https://api.example.com' };

/** Values that every chart accepts and without which it renders nothing: the servers, the public origin, a simulator, a Secret. */
export const required = (chart: string): Values => ({
  global: { settings: { ...settings, ...(chart !== umbrella && { simulatorUrl: 'http://authority-simulator:3002' }) } },
  ...(['authority-simulator', umbrella].includes(chart) ? {} : { existingSecret: { name: 'credentials' } }),
});

/** Runs helm on a chart with values from its standard input. */
export function helm(command: string[], values: Values, ...options: string[]): { status: number | null; stdout: string; stderr: string } {
  const input = JSON.stringify(values);
  return spawnSync(helmProgram(), [...command, '--values', '-', ...options], { encoding: 'utf8', input, maxBuffer: 64 * 1024 * 1024 });
}

const rendered = new Map<string, string>();

/** What a chart renders with the required values and those given, which go before them. Throws helm's error. */
export function render(chart: string, values: Values = {}): Manifest[] {
  const all = merge(required(chart), values);
  const key = JSON.stringify([chart, all]);
  const text = rendered.get(key) ?? template(chart, all);
  rendered.set(key, text);
  return manifestsIn(text);
}

const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

/** Values files for operators, each over those of `minimal`. */
export const examples = readdirSync(examplesFolder).map((file) => file.replace('.yaml', ''));
export const example = (name: string): Values => parse(readFileSync(join(examplesFolder, `${name}.yaml`), 'utf8')) as Values;

/** What the umbrella renders with an example, and values that go before it. */
export const renderExample = (name: string, values: Values = {}): Manifest[] =>
  manifestsIn(template(umbrella, merge(merge(example('minimal'), example(name)), values)));

/** Values by which the simulator goes with the release. */
export const withSimulator: Values = { global: { settings: { simulatorUrl: '' } }, 'authority-simulator': { enabled: true } };

function template(chart: string, values: Values): string {
  const { status, stdout, stderr } = helm(['template', 'system', chartFolder(chart), '--namespace', 'billing'], values);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** The only object of a kind that a chart renders; undefined if there is none. */
export function find<K extends keyof Kinds>(manifests: Manifest[], kind: K, name?: string): Kinds[K] | undefined {
  const found = manifests.filter((manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name));
  if (found.length > 1) throw new Error(`${found.length} objects are a ${kind}`);
  return found[0] as Kinds[K] | undefined;
}

/** The same, where it has to be there. */
export function get<K extends keyof Kinds>(manifests: Manifest[], kind: K, name?: string): Kinds[K] {
  const found = find(manifests, kind, name);
  if (!found) throw new Error(`no ${kind}`);
  return found;
}

export function merge(one: Values, other: Values): Values {
  const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = merged[name];
    merged[name] = isMap(before) && isMap(value) ? merge(before, value) : value;
  }
  return merged;
}
