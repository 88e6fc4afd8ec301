import { Gauge } from 'prom-client';
import type { Health, Report } from './health.ts';

/** Less than the time in which a metric is read: a server that hangs is shown as one that does not answer, not left out. */
const WITHIN_MS = 1_500;

let measured: Health | undefined;
let reading: Promise<Report> | undefined;

/** Both gauges are read at the same time: one report for both. */
const report = (health: Health): Promise<Report> => (reading ??= health.ready(WITHIN_MS).finally(() => (reading = undefined)));

new Gauge({
  name: 'svc_ready',
  help: '1 while the process is ready, as /readyz has it; 0 otherwise.',
  async collect() {
    if (measured) this.set((await report(measured)).ok ? 1 : 0);
  },
});

new Gauge({
  name: 'svc_server_up',
  help: 'Whether a server or the data folder that the process needs answers as it should: 1, or 0 with the reason in /readyz.',
  labelNames: ['server'],
  async collect() {
    if (!measured) return;
    const { checks } = await report(measured);
    this.reset();
    for (const server of measured.serverNames()) if (server in checks) this.set({ server }, checks[server] === 'ok' ? 1 : 0);
  },
});

/** Exports the health of the process, the last one that is given. */
export function measureHealth(health: Health): void {
  measured = health;
  reading = undefined;
}
