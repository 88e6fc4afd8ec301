import { find, get, render } from '../testing/render.ts';
import { allCharts } from '../testing/services.ts';

test.each(allCharts)('%s runs under an account of its own, without a token', (chart) => {
  const manifests = render(chart, { serviceAccount: { annotations: { role: 'x' } } });
  const account = get(manifests, 'ServiceAccount');
  expect(account).toMatchObject({ metadata: { name: chart, annotations: { role: 'x' } }, automountServiceAccountToken: false });
  expect(get(manifests, 'Deployment').spec.template.spec.serviceAccountName).toBe(chart);
});

test.each(allCharts)('%s runs under the operator’s account where one is named', (chart) => {
  const manifests = render(chart, { serviceAccount: { name: 'mine' } });
  expect(find(manifests, 'ServiceAccount')).toBeUndefined();
  expect(get(manifests, 'Deployment').spec.template.spec.serviceAccountName).toBe('mine');
});
