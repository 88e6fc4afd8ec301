import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, productCharts } from '../testing/services.ts';
import { byArgo, failedOf } from '../testing/releases.ts';
import { find, get, merge, render, renderExample, type Values } from '../testing/render.ts';

const byCpu = ['gateway', 'invoicing'];
const argo = (more: Values = {}): Values => merge(byArgo, more);

test.each(productCharts)('%s is replaced by a Rollout in place of its Deployment: the same pods, budget, policies and scaler', (chart) => {
  const scaled = { [byCpu.includes(chart) ? 'autoscaling' : 'keda']: { enabled: true } };
  const [before, after] = [render(chart, scaled), render(chart, argo(scaled))];
  expect([find(after, 'Deployment'), find(before, 'Rollout'), find(before, 'AnalysisTemplate')]).toEqual([undefined, undefined, undefined]);
  const [{ spec: deployment }, { apiVersion, metadata, spec }] = [get(before, 'Deployment'), get(after, 'Rollout')];
  expect([apiVersion, metadata.name]).toEqual(['argoproj.io/v1alpha1', chart]);
  const { strategy: _old, template: pods, ...others } = deployment;
  const { strategy: _new, template, ...same } = spec;
  expect(same).toEqual(others);
  // The only difference: the label by which a revision's pods are known.
  expect(JSON.parse(JSON.stringify(template).replaceAll('rollouts-pod-template-hash', 'pod-template-hash'))).toEqual(pods);
  expect(JSON.stringify(template)).toContain('"rollouts-pod-template-hash"');
  const scaler = byCpu.includes(chart) ? get(after, 'HorizontalPodAutoscaler') : get(after, 'ScaledObject');
  expect(scaler.spec.scaleTargetRef).toEqual({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: chart });
  expect(spec).not.toHaveProperty('replicas');
  expect(get(after, 'PodDisruptionBudget').spec.selector).toEqual(spec.selector);
});

test.each(productCharts)('each step of %s but the last waits, and is judged by the template of that name', (chart) => {
  const manifests = render(chart, argo());
  const { metadata } = get(manifests, 'AnalysisTemplate');
  const analysis = {
    templates: [{ templateName: metadata.name }],
    args: [{ name: 'pods', valueFrom: { podTemplateHashValue: 'Latest' } }],
  };
  const step = (setWeight: number) => [{ setWeight }, { pause: { duration: 300 } }, { analysis }];
  expect(get(manifests, 'Rollout').spec.strategy.canary).toEqual({ maxUnavailable: 0, maxSurge: 1, steps: [...step(25), ...step(50)] });
});

test('a Rollout without a Prometheus is refused, and so is an unknown way', () => {
  expect(() => render('gateway', { rollout: 'argo' })).toThrow('gateway: rollout is argo, and global.canary.prometheus is empty');
  expect(() => render('gateway', { rollout: 'flux' })).toThrow('/rollout');
});

test('the example has a Rollout for every service', () => {
  const kinds = renderExample('argo-rollouts').map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'Rollout')).toHaveLength(productCharts.length);
  expect(kinds).not.toContain('Deployment');
});

test('what judges a release is measured', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'observability.md'), 'utf8');
  const queries = productCharts.flatMap((chart) =>
    get(render(chart, argo()), 'AnalysisTemplate').spec.metrics.map(({ provider }) => provider.prometheus.query),
  );
  const names = queries.flatMap((query) => query.match(/svc_\w+/g) ?? []).map((name) => name.replace(/_(?:bucket|count)$/, ''));
  expect(new Set(names).size).toBeGreaterThan(5);
  for (const name of names) expect([name, page.includes(`\`${name}\``)]).toEqual([name, true]);
});

const of = (chart: string, revision: 'old' | 'new', more = ''): string =>
  `{namespace="billing",pod="${chart}-${revision}-x2v4z"${more && ','}${more}}`;
const build = (chart: string, version = manifestOf(chart).appVersion): Record<string, string> => ({
  [`svc_build_info${of(chart, 'new', `version="${version}",commit="08bdcd3a"`)}`]: '1x20',
  [`svc_build_info${of(chart, 'old', 'version="0.0.9",commit="58ab92cc"')}`]: '1x20',
});
const requests = (revision: 'old' | 'new', status: number, values: string): Record<string, string> => ({
  [`svc_http_request_seconds_count${of('gateway', revision, `route="POST /invoices",status="${status}"`)}`]: values,
});
const timed = (revision: 'old' | 'new', bound: string): Record<string, string> =>
  Object.fromEntries(
    ['0.1', '0.5', '1', '2.5', '+Inf'].map((le) => [
      `svc_http_request_seconds_bucket${of('gateway', revision, `route="GET /invoices/{id}",status="200",le="${le}"`)}`,
      le === '+Inf' || Number(le) >= Number(bound) ? '0+60x20' : '0x20',
    ]),
  );
const good = {
  ...{ ...build('gateway'), ...requests('old', 201, '0+60x20'), ...requests('new', 201, '0+60x20') },
  ...{ ...timed('old', '0.1'), ...timed('new', '0.1') },
};

test.each([
  ['a good release', good, []],
  ['one without requests', build('gateway'), []],
  ['one beside old pods that fail', { ...good, ...requests('old', 500, '0+60x20') }, []],
  ['one whose requests fail', { ...good, ...requests('new', 500, '0+6x20') }, ['failed-requests']],
  ['one that is slow', { ...good, ...timed('new', '2.5') }, ['slow-requests']],
  ['one whose metrics are not read', { [`svc_build_info${of('gateway', 'old', 'version="0.1.0"')}`]: '1x20' }, ['read']],
  [
    'an image that is another release',
    { ...good, ...build('gateway', '0.0.9'), [Object.keys(build('gateway'))[0] ?? '']: '0x0' },
    ['read'],
  ],
  [
    'one whose stores fail',
    { ...good, [`svc_store_failures_total${of('gateway', 'new', 'store="mongodb",operation="write"')}`]: '0+1x20' },
    ['failures-of-stores'],
  ],
  [
    'one that puts events aside',
    { ...good, [`svc_dead_letters_total${of('gateway', 'new', 'group="gateway",reason="failed"')}`]: '_x15 1x5' },
    ['dead-letters'],
  ],
])('the gateway: %s', (_what, series, failed) => {
  expect(failedOf('gateway', {}, series)).toEqual(failed);
});

test.each([
  ['a good release', {}, []],
  ['requests fail at the gateway', requests('old', 503, '0+6x20'), ['failed-requests']],
  [
    'a subscription of its pods is behind',
    { [`svc_subscription_lag_seconds${of('invoicing', 'new', 'subscription="invoicing.publishing"')}`]: '0+30x20' },
    ['subscription-lag'],
  ],
  [
    'its group is behind',
    { [`svc_consumer_lag_events${of('invoicing', 'old', 'group="invoicing",topic="fiscal.submission"')}`]: '20000x20' },
    ['consumer-lag'],
  ],
])('invoicing: %s', (_what, more, failed) => {
  expect(failedOf('invoicing', {}, { ...build('invoicing'), ...requests('old', 201, '0+60x20'), ...more })).toEqual(failed);
});

test('of an image of the operator’s own any release is taken, and limits are values', () => {
  expect(failedOf('gateway', { image: { tag: 'mine' } }, build('gateway', '7.0.0'))).toEqual([]);
  const failing = { ...good, ...requests('new', 500, '0+6x20') };
  expect(failedOf('gateway', { global: { canary: { prometheus: 'http://p:9090', errorShare: 0.2 } } }, failing)).toEqual([]);
});
