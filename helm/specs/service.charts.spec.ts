import { get, render } from '../testing/render.ts';
import { allCharts } from '../testing/services.ts';

test.each(allCharts)('the Service of %s has its ports of requests alone, inside the cluster', (chart) => {
  const { metadata, spec } = get(render(chart), 'Service');
  expect(metadata).toMatchObject({ name: chart, namespace: 'billing' });
  const national = { http: 3002, 'al-cis': 3003, 'es-verifactu': 3005, 'me-efi': 3004 };
  const ports = Object.entries(chart === 'authority-simulator' ? national : { http: 3000 });
  expect([spec.type, spec.ports.map((one) => [one.name, one.port, one.targetPort])]).toEqual([
    'ClusterIP',
    ports.map(([name, port]) => [name, port, name]),
  ]);
  expect(spec.selector).toEqual(get(render(chart), 'Deployment').spec.selector.matchLabels);
});

test.each(allCharts)('the Service of %s has the annotations and families of addresses that the values give, and another name', (chart) => {
  const service = { annotations: { note: 'x' }, ipFamilyPolicy: 'PreferDualStack' };
  const { metadata, spec } = get(render(chart, { service, fullnameOverride: 'other' }), 'Service');
  expect([metadata.name, metadata.annotations, spec.ipFamilyPolicy]).toEqual(['other', { note: 'x' }, 'PreferDualStack']);
});
