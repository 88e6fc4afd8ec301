import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort } from '@svc/testkit';
import { stringify } from 'yaml';
import type { AlertRule } from '../../../../helm/testing/manifests.ts';
import { groupsOf } from '../../../../helm/testing/rules.ts';
import { prometheusPrograms } from '../../../../deploy/monitoring/prometheus.mjs';

export interface Alert {
  labels: { alertname: string; severity: string; service: string } & Record<string, string>;
  annotations: { description: string; runbook_url: string };
  state: 'pending' | 'firing';
}

export interface NightPrometheus {
  /** Those that fire and those whose condition does not hold for long enough yet. */
  alerts(): Promise<Alert[]>;
  stop(): Promise<void>;
}

export interface NightPrometheusOptions {
  folder: string;
  /** The operators' port of each service. */
  ports: ReadonlyMap<string, number>;
  /** Divides how long a condition must hold. The conditions themselves are those of the charts. */
  factor: number;
}

const EVERY = '2s';

/** Prometheus itself, which reads the processes as the charts' PodMonitors have it read pods, with the charts' rules. */
export async function startNightPrometheus({ folder, ports, factor }: NightPrometheusOptions): Promise<NightPrometheus> {
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const groups = [...ports.keys()].flatMap((service) => groupsOf(service));
  const hastened = groups.map(({ rules, ...group }) => ({
    ...group,
    rules: rules.map((rule) => ('alert' in rule ? hastenedBy(factor, rule) : rule)),
  }));
  write(folder, 'rules.yaml', { groups: hastened });
  write(folder, 'prometheus.yaml', {
    global: { scrape_interval: EVERY, evaluation_interval: EVERY },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'pods', static_configs: Array.from(ports, targetOf) }],
  });
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(join(prometheusPrograms(), 'prometheus'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(said);
    return (await fetch(`${url}/-/ready`)).ok;
  }, 'Prometheus');
  return {
    async alerts() {
      const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as { data: { alerts: Alert[] } };
      return data.alerts;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const write = (folder: string, name: string, content: object): void => writeFileSync(join(folder, name), stringify(content));

const targetOf = ([service, port]: [string, number]): object => ({
  targets: [`127.0.0.1:${port}`],
  labels: { namespace: 'billing', pod: `${service}-0` },
});

const hastenedBy = (factor: number, { keep_firing_for, ...rule }: AlertRule): object => ({
  ...rule,
  for: dividedBy(factor, rule.for),
  // By two at most: it outlasts windows of expressions, which are not divided.
  ...(keep_firing_for === undefined ? {} : { keep_firing_for: dividedBy(Math.min(factor, 2), keep_firing_for) }),
});

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 };

function dividedBy(factor: number, duration: string): string {
  const [, count, unit] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return `${Math.round((Number(count) * UNITS[unit as keyof typeof UNITS]) / factor)}ms`;
}
