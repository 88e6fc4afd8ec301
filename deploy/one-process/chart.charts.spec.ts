import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StandaloneConfig } from '@svc/standalone/config';
import { loadConfig } from '@svc/service/config/load-config';
import { root } from '@svc/testkit';
import { parseAllDocuments } from 'yaml';
import { validateCustom } from '../../helm/testing/custom-kinds.ts';
import type { Manifest as Validated, RuleGroup } from '../../helm/testing/manifests.ts';
import { promtool } from '../../helm/testing/rules.ts';
import { helmProgram } from '../../helm/tools/helm.mjs';

interface Container {
  image: string;
  env: { name: string; value: string }[];
  envFrom?: object[];
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    groups?: RuleGroup[];
    selector?: { matchLabels: Record<string, string> };
    strategy?: object;
    accessModes?: string[];
    ports?: object[];
    template?: { metadata: { labels: Record<string, string> }; spec: { containers: [Container]; volumes: object[] } };
  };
}

const PUBLIC = { publicUrl: 'https://api.example.com' };
const helm = (values: object, ...options: string[]) =>
  spawnSync(helmProgram(), ['template', 'billing', import.meta.dirname, '--values', '-', ...options], {
    encoding: 'utf8',
    input: JSON.stringify(values),
  });

function render(values: object = {}): Record<string, Manifest> {
  const { status, stdout, stderr } = helm({ ...PUBLIC, ...values });
  if (status !== 0) throw new Error(stderr);
  const found = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
  return Object.fromEntries(found.filter((one) => one !== null).map((one) => [one.kind, one]));
}
const containerOf = ({ Deployment }: Record<string, Manifest>): Container => Deployment?.spec.template?.spec.containers[0] as Container;

test('one pod that ends before the next starts, on a volume of one pod', () => {
  const { Deployment, PersistentVolumeClaim } = render();
  expect(Deployment?.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(PersistentVolumeClaim?.spec.accessModes).toEqual(['ReadWriteOncePod']);
  expect(Deployment?.spec.template?.spec.volumes).toContainEqual({
    name: 'data',
    persistentVolumeClaim: { claimName: PersistentVolumeClaim?.metadata.name },
  });
  const existing = render({ persistence: { existingClaim: 'documents' } });
  expect(existing['PersistentVolumeClaim']).toBeUndefined();
});

test('the operators’ port is behind no Service', () => {
  const all = render();
  expect(all['Service']?.spec.ports).toEqual([{ name: 'http', port: 3000, targetPort: 'http' }]);
  expect(containerOf(all).ports).toEqual([
    { name: 'http', containerPort: 3000 },
    { name: 'ops', containerPort: 3001 },
  ]);
});

test('its variables are settings of the program', () => {
  const all = render({
    settings: { LOG_LEVEL: 'warn' },
    backup: { every: '1h', keep: 3, existingClaim: 'backups' },
    existingSecret: { name: 'keys' },
  });
  const { env, envFrom, volumeMounts } = containerOf(all);
  const config = loadConfig(StandaloneConfig, Object.fromEntries(env.map(({ name, value }) => [name, value])));
  expect(config).toMatchObject({
    PUBLIC_URL: PUBLIC.publicUrl,
    LOG_LEVEL: 'warn',
    BACKUP_EVERY: 3_600_000,
    BACKUP_KEEP: 3,
    BACKUP_CONTINUOUS: true,
    BACKUP_FOLDER: '/backups',
  });
  expect(envFrom).toEqual([{ secretRef: { name: 'keys' } }]);
  for (const folder of [config.DATA_DIR, config.BACKUP_FOLDER ?? ''])
    expect([folder, volumeMounts.some(({ mountPath }) => `${folder}/`.startsWith(`${mountPath}/`))]).toEqual([folder, true]);
});

test.each([
  ['several replicas', { replicas: 2 }, /replicas/],
  ['no public origin', { publicUrl: '' }, /publicUrl/],
  ['backups on the volume of the data', { backup: { every: '1d' } }, /backup\.existingClaim/],
  ['a setting that the chart makes', { settings: { OPS_PORT: '3000' } }, /OPS_PORT|settings/],
  ['a size without a unit', { persistence: { size: '20' } }, /size/],
])('%s: nothing is rendered, and the value is named', (_what, values, message) => {
  const { status, stderr } = helm({ ...PUBLIC, ...values });
  expect([status === 0, stderr]).toEqual([false, expect.stringMatching(message)]);
});

test('the dashboard reads metrics that are documented', () => {
  const { ConfigMap } = render({ dashboard: { enabled: true } });
  const { panels } = JSON.parse(ConfigMap?.data?.['one-process.json'] ?? '') as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const page = readFileSync(join(root, 'docs/observability.md'), 'utf8');
  const names = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/svc_[a-z_]+/g) ?? []));
  expect(names.length).toBeGreaterThan(10);
  expect(names.map((name) => name.replace(/_(?:bucket|count)$/, '')).filter((name) => !page.includes(name))).toEqual([]);
  expect(ConfigMap?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
});

test('Prometheus’ operator reads its pod, and has the alerts of its pod alone', async () => {
  expect([render()['PodMonitor'], render()['PrometheusRule']]).toEqual([undefined, undefined]);
  const metrics = {
    podMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' }, runbookUrl: 'https://wiki.example.com/runbooks/' },
  };
  const { PodMonitor, PrometheusRule, Deployment } = render({ metrics });
  for (const one of [PodMonitor, PrometheusRule]) {
    await validateCustom(one as Validated);
    expect(one?.metadata.labels).toMatchObject({ release: 'prometheus' });
  }
  expect(PodMonitor?.spec.selector).toEqual(Deployment?.spec.selector);
  const groups = PrometheusRule?.spec.groups ?? [];
  expect(promtool({ 'rules.yaml': { groups } }, 'check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml')).toMatchObject({ status: 0 });
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(50);
  for (const rule of rules) {
    const metricsOf = rule.expr.match(/\b(?:(?:svc|process|nodejs)_\w+|svc:\w+:\w+)\{?[^,}]*,?[^,}]*/g) ?? [];
    for (const metric of metricsOf) expect(metric).toMatch(/\{namespace="default",(?:pod=~"billing-\.\+"|service="billing")/);
    if ('alert' in rule) expect(rule.annotations.runbook_url).toBe(`https://wiki.example.com/runbooks/${rule.alert}.md`);
    expect(rule.labels['namespace']).toBe('default');
  }
});
