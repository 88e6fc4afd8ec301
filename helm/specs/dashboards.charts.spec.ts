import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productCharts } from '../testing/services.ts';
import { find, get, renderExample } from '../testing/render.ts';

const folder = join(import.meta.dirname, '..', 'invoicing-platform', 'dashboards');
const names = ['service', 'business', 'objectives'];

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}
interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: unknown }[] };
}
const read = (name: string): Dashboard => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Dashboard;

describe.each(names)('the dashboard %s', (name) => {
  const { uid, title, schemaVersion, panels, templating } = read(name);

  test('is one that Grafana takes: an id of its own, panels that do not overlap, queries of the chosen data source', () => {
    expect([uid, title, schemaVersion]).toEqual([`invoicing-${name}`, expect.stringMatching(/\w/), expect.any(Number)]);
    expect(templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { type, datasource, targets = [], ...panel } of panels) {
      expect(panel.title).not.toBe('');
      if (type === 'row') continue;
      expect([panel.title, datasource]).toEqual([panel.title, { type: 'prometheus', uid: '${datasource}' }]);
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      for (const target of targets) expect(target.datasource.uid).toBe('${datasource}');
    }
  });

  test('fits on a screen of 24 columns', () => {
    const taken = new Map<string, string>();
    for (const { title: of, gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([of, taken.get(`${x},${y}`)]).toEqual([of, undefined]);
          taken.set(`${x},${y}`, of);
        }
    }
  });

  test('uses variables that it has', () => {
    const known = new Set([...templating.list.map((variable) => variable.name), '__rate_interval']);
    for (const { targets = [] } of panels)
      for (const { expr } of targets)
        for (const [, used = ''] of expr.matchAll(/\$\{?(\w+)/g)) expect([expr, known.has(used)]).toEqual([expr, true]);
  });
});

test('a number that every pod shows is not added up, and live documents are not added to those for tests', () => {
  const all = names.flatMap((name) => read(name).panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)));
  const waiting = all.filter((expr) => /svc_submissions_(waiting|in_review|oldest_seconds)/.test(expr));
  expect(waiting.length).toBeGreaterThan(1);
  for (const expr of waiting) expect(expr).toMatch(/\bmax\b.*svc_submissions_/);
  for (const expr of waiting) expect(expr).toMatch(/by \([^)]*env[^)]*\)|env=/);
});

test('the services to choose from are those that have pods', () => {
  const { query } = read('service').templating.list.find(({ name }) => name === 'service') ?? {};
  expect(String(query).split(',').sort()).toEqual([...productCharts].sort());
});

const dashboards = (of: object) => renderExample('minimal', { global: { metrics: { dashboards: of } } });

test.each(names)('the umbrella hands %s to Grafana’s sidecar where the values say so', (name) => {
  const object = `system-dashboard-${name}`;
  expect(find(renderExample('minimal'), 'ConfigMap', object)).toBeUndefined();
  const { metadata, data } = get(dashboards({ enabled: true }), 'ConfigMap', object);
  expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  expect(JSON.parse(data[`invoicing-${name}.json`] ?? '')).toEqual(read(name));
  const labels = { folder: 'billing' };
  expect(get(dashboards({ enabled: true, labels }), 'ConfigMap', object).metadata.labels).toMatchObject(labels);
});
