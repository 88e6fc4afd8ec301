import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@svc/contracts/routes';
import { parse } from 'yaml';
import { ruleFiles } from '../../deploy/monitoring/rules.mjs';
import type { AlertCase } from '../testing/alert-case.ts';
import { alertCases } from '../testing/alert-cases/all.ts';
import type { AlertRule } from '../testing/manifests.ts';
import { alertNames, groupsOf, promtool, rulesOf } from '../testing/rules.ts';
import { productCharts } from '../testing/services.ts';

const monitoring = join(import.meta.dirname, '..', '..', 'deploy', 'monitoring');
const STEP_S = 30;
const SPAN_S = 2 * 60 * 60;

test('Prometheus accepts the rules of all charts', () => {
  const files = Object.fromEntries(productCharts.map((chart) => [`${chart}.yaml`, { groups: groupsOf(chart) }]));
  expect(promtool(files, 'check', 'rules', '--lint=all', '--lint-fatal', ...Object.keys(files))).toMatchObject({ status: 0 });
});

test('the rules for a Prometheus without its operator are those of the charts, as node deploy/monitoring/rules.mjs writes them', async () => {
  for (const [name, text] of await ruleFiles()) {
    expect({ name, text: readFileSync(join(monitoring, name), 'utf8') }).toEqual({ name, text });
    const lint = promtool({ 'rules.yaml': parse(text) as object }, 'check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml');
    expect(lint).toMatchObject({ status: 0 });
  }
});

const isOf = ({ alert, severity }: AlertCase, rule: AlertRule): boolean =>
  rule.alert === alert && (severity === undefined || rule.labels.severity === severity);

test('every alert has a case', () => {
  expect([...new Set(alertCases.map(({ alert }) => alert))].sort()).toEqual(alertNames().sort());
  for (const one of alertCases) expect(rulesOf(one.chart).filter((rule) => isOf(one, rule))).toHaveLength(1);
});

/** A series with the labels that Prometheus gives to what it reads of a pod, as PodMonitors have it, unless it has its own. */
function ofPod(series: string, chart: string): string {
  const [, name = '', own = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  const pod = /\bpod="/.test(own) ? '' : `,pod="${chart}-7c9f-x2v4z"`;
  return `${name}{${own}${own && ','}namespace="billing"${pod}}`;
}

const seconds = (duration: string): number => {
  const [, count, unit] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(count) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h'];
};

const groupOf = (chart: string, series: Record<string, string>, expected: object[]): object => ({
  interval: `${STEP_S}s`,
  input_series: Object.entries(series).map(([name, values]) => ({ series: ofPod(name, chart), values })),
  alert_rule_test: expected,
});

function unitTest(one: AlertCase): object {
  const { alert, chart, fires, after, labels = {}, says, silent } = one;
  const rule = rulesOf(chart).find((candidate) => isOf(one, candidate));
  if (!rule) throw new Error(`${chart} has no ${alert}`);
  const at = (time: number, fired: boolean): object => ({
    eval_time: `${time}s`,
    alertname: alert,
    exp_alerts: fired ? [{ exp_labels: { ...rule.labels, ...labels }, exp_annotations: { ...rule.annotations, description: says } }] : [],
  });
  const firesAt = after * 60 + seconds(rule.for);
  const never = Array.from({ length: SPAN_S / STEP_S }, (_, n) => at(n * STEP_S, false));
  const before = firesAt < STEP_S ? [] : [at(firesAt - STEP_S, false)];
  return {
    rule_files: ['rules.yaml'],
    evaluation_interval: `${STEP_S}s`,
    tests: [groupOf(chart, fires, [...before, at(firesAt, true)]), ...silent.map((series) => groupOf(chart, series, never))],
  };
}

/** Without the other alerts of the chart: promtool evaluates all rules of its files at each of hundreds of times, and compares those of one name. */
const ruleOf = (one: AlertCase): object[] =>
  groupsOf(one.chart).map((group) => ({ ...group, rules: group.rules.filter((rule) => 'record' in rule || isOf(one, rule)) }));

test.each(alertCases)('$alert $severity of $chart fires when it should, and not before, and not else', (one) => {
  const files = { 'rules.yaml': { groups: ruleOf(one) }, 'test.yaml': unitTest(one) };
  const { status, output } = promtool(files, 'test', 'rules', 'test.yaml');
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') as string });
});

test('ApiSlow omits the writes that may wait for an authority, and no others', () => {
  const { expr = '' } = rulesOf('gateway').find(({ alert }) => alert === 'ApiSlow') ?? {};
  const [, pattern = ''] = /route!~"([^"]+)"/.exec(expr) ?? [];
  // A batch takes as long as its documents are many.
  const writes = Object.entries(routes).filter(([name]) => name.startsWith('POST ') && name !== 'POST /invoices/batch/submit');
  for (const [name, route] of writes)
    expect([name, new RegExp(`^(?:${pattern})$`).test(name)]).toEqual([name, 'waits' in route && route.waits === true]);
});

test('a cause goes on firing after its end, for as long as its consequences may', () => {
  const { labels, annotations } = rulesOf('invoicing').find(({ alert }) => alert === 'EventStoreUnreachable') as AlertRule;
  const at = (minute: number, fires: boolean): object => ({
    eval_time: `${minute}m`,
    alertname: 'EventStoreUnreachable',
    exp_alerts: fires ? [{ exp_labels: labels, exp_annotations: annotations }] : [],
  });
  const series = { 'svc_server_up{server="eventstoredb"}': '0x19 1x220' };
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: `${STEP_S}s`,
    tests: [groupOf('invoicing', series, [at(9, true), at(19, true), at(21, false)])],
  };
  expect(promtool({ 'rules.yaml': { groups: groupsOf('invoicing') }, 'test.yaml': test }, 'test', 'rules', 'test.yaml')).toMatchObject({
    status: 0,
  });
});

test.each(productCharts)('the alerts of %s say who gets up, what is wrong and what to do', (chart) => {
  for (const { alert, labels, annotations } of rulesOf(chart)) {
    const severity = expect.stringMatching(/^(warning|critical)$/) as string;
    expect([alert, labels]).toEqual([alert, { severity, service: chart, namespace: 'billing' }]);
    expect(annotations).toEqual({
      summary: expect.stringMatching(`^${chart}: .`) as string,
      description: expect.stringMatching(/\.$/) as string,
      runbook_url: `docs/runbooks/${alert}.md`,
    });
  }
});

test('an operator sets where the runbooks are, leaves alerts out, and changes limits', () => {
  const prometheusRule = {
    runbookUrl: 'https://wiki.example.com/runbooks/',
    without: ['ApiSlow', 'Restarts'],
    limits: { apiErrorShare: 0.2 },
  };
  const rules = rulesOf('gateway', { global: { metrics: { prometheusRule } } });
  expect(rules.map(({ alert }) => alert)).not.toEqual(expect.arrayContaining(['ApiSlow']));
  expect(rules.map(({ alert }) => alert)).not.toEqual(expect.arrayContaining(['Restarts']));
  const errors = rules.find(({ alert }) => alert === 'ApiErrors');
  expect(errors?.annotations.runbook_url).toBe('https://wiki.example.com/runbooks/ApiErrors.md');
  expect(errors?.expr).toContain('> 0.2');
});
