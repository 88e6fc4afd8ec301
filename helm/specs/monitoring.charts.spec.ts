import { find, get, render } from '../testing/render.ts';
import { productCharts } from '../testing/services.ts';

const global = {
  metrics: {
    podMonitor: { enabled: true, labels: { release: 'x' }, interval: '15s' },
    prometheusRule: { enabled: true, labels: { release: 'x' } },
  },
};

test.each(productCharts)('the metrics of %s are read from the operators’ port of its pods, where the values say so', (chart) => {
  expect([find(render(chart), 'PodMonitor'), find(render(chart), 'PrometheusRule')]).toEqual([undefined, undefined]);
  const { metadata, spec } = get(render(chart, { global }), 'PodMonitor');
  expect(metadata.labels).toMatchObject({ release: 'x', 'app.kubernetes.io/name': chart });
  expect(spec.podMetricsEndpoints).toEqual([{ port: 'ops', path: '/metrics', interval: '15s' }]);
  expect(spec.selector).toEqual(get(render(chart), 'Deployment').spec.selector);
});

test.each(productCharts)('the alerts of %s are about its own pods', (chart) => {
  const { metadata, spec } = get(render(chart, { global }), 'PrometheusRule');
  expect(metadata.labels).toMatchObject({ release: 'x' });
  const rules = spec.groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  const ofBudgets = new RegExp(`svc:objective_\\w+:\\w+\\{namespace="billing",service="${chart}"`);
  for (const { expr } of rules)
    if (!ofBudgets.test(expr) && !expr.startsWith('vector(')) expect(expr).toContain(`namespace="billing",pod=~"${chart}-.+"`);
});
