import { get, render } from '../testing/render.ts';
import { allCharts } from '../testing/services.ts';

test.each(allCharts)('the Service of %s has its port of requests alone, inside the cluster', (chart) => {
  const { metadata, spec } = get(render(chart), 'Service');
  expect(metadata).toMatchObject({ name: chart, namespace: 'billing' });
  const port = chart === 'authority-simulator' ? 3002 : 3000;
  expect([spec.type, spec.ports.map((one) => [one.name, one.port, one.targetPort])]).toEqual(['ClusterIP', [['http', port, 'http']]]);
  expect(spec.selector).toEqual(get(render(chart), 'Deployment').spec.selector.matchLabels);
});

test.each(allCharts)('the Service of %s has the annotations and families of addresses that the values give, and another name', (chart) => {
  const service = { annotations: { note: 'x' }, ipFamilyPolicy: 'PreferDualStack' };
  const { metadata, spec } = get(render(chart, { service, fullnameOverride: 'other' }), 'Service');
  expect([metadata.name, metadata.annotations, spec.ipFamilyPolicy]).toEqual(['other', { note: 'x' }, 'PreferDualStack']);
});
