import { get, render } from '../testing/render.ts';
import { allCharts, productCharts } from '../testing/services.ts';

test.each(allCharts)('the Service of %s has its ports of requests alone, inside the cluster', (chart) => {
  const { metadata, spec } = get(render(chart), 'Service', chart);
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
  const { metadata, spec } = get(render(chart, { service, fullnameOverride: 'other' }), 'Service', 'other');
  expect([metadata.name, metadata.annotations, spec.ipFamilyPolicy]).toEqual(['other', { note: 'x' }, 'PreferDualStack']);
});

test.each(productCharts.filter((chart) => chart !== 'gateway'))('a second Service of %s has the addresses of its ready pods', (chart) => {
  const manifests = render(chart, { fullnameOverride: 'other', service: { ipFamilyPolicy: 'PreferDualStack' } });
  const [one, pods] = [get(manifests, 'Service', 'other').spec, get(manifests, 'Service', 'other-pods').spec];
  expect(pods).toMatchObject({ clusterIP: 'None', selector: one.selector, ipFamilyPolicy: 'PreferDualStack' });
  expect(pods.ports).toEqual(one.ports);
});

test('the gateway finds them beside the Services that it has the origins of', () => {
  expect(get(render('gateway'), 'ConfigMap').data).toMatchObject({ INVOICING_URL: 'http://invoicing:3000', PODS_SUFFIX: '-pods' });
  expect(get(render('gateway', { settings: { podsSuffix: '' } }), 'ConfigMap').data).not.toHaveProperty('PODS_SUFFIX');
});
