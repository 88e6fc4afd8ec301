// node rules.mjs: writes rules/*.yaml, the alerts of the charts for a Prometheus without its operator.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { assembleCharts, services } from '../../helm/tools/charts.mjs';
import { helmProgram } from '../../helm/tools/helm.mjs';

const folder = import.meta.dirname;
const SELECTOR = /namespace="billing",pod=~"([a-z-]+)-\.\+",?/g;
/** Of what rules record. */
const RECORDED = /namespace="billing",service="([a-z-]+)",?/g;

/** The files and what is in them. */
export async function ruleFiles() {
  const groups = groupsOfCharts();
  const rules = oneProcess(groups);
  return new Map([
    ['rules/one-process.yaml', await yaml(ONE_PROCESS, [{ name: 'invoicing-platform', rules }])],
    ['../one-process/files/rules.yaml', await yaml(OF_CHART, [{ name: 'invoicing-platform', rules: rules.map(ofRelease) }])],
    ['rules/services.yaml', await yaml(SERVICES, groups.map(ofJob))],
  ]);
}

const ONE_PROCESS =
  'The alerts of a system in one process, which is all that this Prometheus reads. Made by node deploy/monitoring/rules.mjs.';
const OF_CHART =
  'The same of one release among others that this Prometheus reads: the chart replaces NAMESPACE and RELEASE. Made by node deploy/monitoring/rules.mjs.';
const SERVICES = 'The alerts of a system of separate processes, each service a job of its name. Made by node deploy/monitoring/rules.mjs.';

/** As the charts render them, in the namespace `billing`. */
function groupsOfCharts() {
  const work = mkdtempSync(join(tmpdir(), 'svc-rules-'));
  try {
    assembleCharts(work);
    return services.filter((service) => service !== 'authority-simulator').flatMap((service) => groupsOf(join(work, service)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const VALUES = {
  global: {
    settings: { kafkaBrokers: 'kafka:9092', publicUrl: 'https://api.example.com', simulatorUrl: 'none' },
    metrics: { prometheusRule: { enabled: true } },
  },
  existingSecret: { name: 'credentials' },
};

function groupsOf(chart) {
  const args = ['template', 'system', chart, '--namespace', 'billing', '--values', '-'];
  const { status, stdout, stderr } = spawnSync(helmProgram(), args, { encoding: 'utf8', input: JSON.stringify(VALUES) });
  if (status !== 0) throw new Error(stderr);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  return objects.find((object) => object?.kind === 'PrometheusRule').spec.groups;
}

/** Without the operator a process is an instance of the job that is its service. */
const ofInstance = (text) => text.replaceAll('by (pod)', 'by (instance)').replaceAll('$labels.pod', '$labels.instance');
const inWords = (text) => ofInstance(text).replaceAll(/\bpod\b/g, 'process');

const changed = (rule, expr) => {
  // Which installation it is, the alert's own Prometheus knows.
  const { namespace: _namespace, ...labels } = rule.labels;
  if (rule.record) return { ...rule, expr, labels };
  const { summary, description } = rule.annotations;
  return { ...rule, expr, labels, annotations: { ...rule.annotations, summary: inWords(summary), description: inWords(description) } };
};

const ofJob = ({ name, rules }) => ({
  name,
  rules: rules.map(({ expr, ...rule }) => {
    const ofService = expr
      .replaceAll(SELECTOR, (_, service) => `job="${service}",`)
      .replaceAll(RECORDED, (_, service) => `service="${service}",`);
    return changed(rule, ofInstance(ofService.replaceAll(',}', '}')));
  }),
});

/** What all services have is there once. */
function oneProcess(groups) {
  const rules = new Map();
  for (const { name, rules: all } of groups)
    for (const rule of all) {
      const { service: _service, ...labels } = rule.labels;
      const expr = ofInstance(rule.expr.replaceAll(SELECTOR, '').replaceAll(RECORDED, '').replaceAll('{}', ''));
      if (rule.record) {
        rules.set(`${rule.record} ${labels.objective}`, changed({ ...rule, labels }, expr));
        continue;
      }
      const summary = rule.annotations.summary.replace(`${name}: `, '');
      const description = rule.annotations.description.replaceAll(name, 'the system');
      const key = `${rule.alert} ${labels.severity}`;
      if (!rules.has(key)) rules.set(key, changed({ ...rule, labels, annotations: { ...rule.annotations, summary, description } }, expr));
    }
  return [...rules.values(), ...parse(readFileSync(join(folder, 'one-process.yaml'), 'utf8'))];
}

/** Its pods alone, and what its own rules have recorded. */
function ofRelease({ expr, ...rule }) {
  const within = (text, metric, labels) => text.replaceAll(metric, (_, name, open) => `${name}{${labels}${open ? ',' : '}'}`);
  const ofPods = within(expr, /\b((?:svc|process|nodejs)_\w+)(\{)?/g, 'namespace="NAMESPACE",pod=~"RELEASE-.+"');
  const own = rule.record ? { service: 'RELEASE' } : {};
  const labels = { ...rule.labels, ...own, namespace: 'NAMESPACE' };
  return { ...rule, expr: within(ofPods, /\b(svc:\w+:\w+)(\{)?/g, 'namespace="NAMESPACE",service="RELEASE"'), labels };
}

const yaml = async (about, groups) =>
  format(`# ${about}\n${stringify({ groups }, { lineWidth: 0 })}`, { ...(await resolveConfig(import.meta.filename)), parser: 'yaml' });

if (process.argv[1] === import.meta.filename) for (const [name, text] of await ruleFiles()) writeFileSync(join(folder, name), text);
