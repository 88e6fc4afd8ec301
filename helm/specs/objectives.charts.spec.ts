import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@svc/contracts/routes';
import { recordingsOf, rulesOf } from '../testing/rules.ts';

const root = join(import.meta.dirname, '..', '..');
const charts = ['gateway', 'fiscal-submission', 'webhooks-dispatcher'];
const recordings = charts.flatMap((chart) => recordingsOf(chart));
const exprOf = (record: string, of: string): string =>
  recordings.find((one) => one.record === record && one.labels.objective === of)?.expr ?? '';

/** What takes as long as an authority, an endpoint, an event or the size of a batch. */
const UNTIMED = [
  ...Object.entries(routes).flatMap(([name, route]) => ('waits' in route && route.waits ? [name] : [])),
  ...['GET /events', 'POST /invoices/batch', 'POST /invoices/batch/submit', 'POST /customers/batch', 'POST /products/batch'],
  ...['POST /fiscal-credentials/check', 'POST /webhooks/{id}/test', 'POST /webhooks/{id}/deliveries/{whd}/redeliver'],
];

/** Whether a selector of routes, as Prometheus reads it, has a route. */
const has = (expr: string, route: string): boolean =>
  [...expr.matchAll(/\broute(=~|!~|!=)"([^"]+)"/g)].every(([, operator, value = '']) => {
    const isMatch = operator === '!=' ? value === route : new RegExp(`^(?:${value})$`).test(route);
    return operator === '=~' ? isMatch : !isMatch;
  });

test('each route is timed by one objective, or by none because of what it waits for', () => {
  for (const route of Object.keys(routes)) {
    const of = ['reads', 'lists', 'writes', 'files'].filter((objective) => has(exprOf('svc:objective_all:rate2m', objective), route));
    expect([route, of.length]).toEqual([route, UNTIMED.includes(route) ? 0 : 1]);
  }
});

test('of each objective there is recorded what counts, what is bad of it, and the share that may be', () => {
  const objectives = new Set(recordings.map(({ labels }) => labels.objective));
  expect([...objectives].sort()).toEqual(['availability', 'codes', 'files', 'lists', 'reads', 'webhooks', 'writes']);
  for (const objective of objectives)
    for (const record of ['svc:objective_all:rate2m', 'svc:objective_bad:rate2m', 'svc:objective_budget:share'])
      expect([objective, record, exprOf(record, objective)]).toEqual([objective, record, expect.stringMatching(/./) as string]);
});

test('alerts and dashboards read what is recorded', () => {
  const known = new Set(recordings.map(({ record }) => record));
  const dashboards = ['helm/invoicing-platform/dashboards/objectives.json', 'deploy/one-process/dashboards/one-process.json'];
  const texts = [
    ...dashboards.map((name) => readFileSync(join(root, name), 'utf8')),
    ...charts.flatMap((chart) => rulesOf(chart).map(({ expr }) => expr)),
  ];
  const read = texts.flatMap((text) => text.match(/svc:\w+:\w+/g) ?? []);
  expect(read.length).toBeGreaterThan(20);
  for (const name of read) expect([name, known.has(name)]).toEqual([name, true]);
});

test('an operator sets the objectives; a bound that the histogram does not have is refused', () => {
  const values = (objectives: object) => ({ global: { metrics: { prometheusRule: { objectives } } } });
  const set = recordingsOf('gateway', values({ availabilityShare: 0.995, readSeconds: 1 }));
  const of = (record: string, objective: string) => set.find((one) => one.record === record && one.labels.objective === objective)?.expr;
  expect(of('svc:objective_budget:share', 'availability')).toBe('vector(0.005)');
  expect(of('svc:objective_bad:rate2m', 'reads')).toContain('le=~"1|1[.]0"');
  expect(() => recordingsOf('gateway', values({ readSeconds: 0.3 }))).toThrow('/global/metrics/prometheusRule/objectives/readSeconds');
  expect(() => recordingsOf('gateway', values({ availabilityShare: 1 }))).toThrow('availabilityShare');
});

test('the page of objectives says what the values are', () => {
  const page = readFileSync(join(root, 'docs/objectives.md'), 'utf8');
  for (const { record, labels, expr } of recordings) {
    const [, of = '', share = '', bound = ''] =
      new RegExp(`^\\| \`(${labels.objective})\` +\\|.*\\| ([\\d.]+) % +\\| ([^|]*)\\|`, 'm').exec(page) ?? [];
    expect([labels.objective, of]).toEqual([labels.objective, labels.objective]);
    if (record.endsWith(':share')) expect([of, expr]).toEqual([of, `vector(${Number((1 - Number(share) / 100).toPrecision(6))})`]);
    const [, seconds] = /\ble=~?"([\d.]+)/.exec(expr) ?? [];
    if (seconds !== undefined) expect([of, bound.trim()]).toEqual([of, `${seconds} s`]);
  }
});
