import { inhibitions, mutes, type AlertLabels } from '../../deploy/monitoring/testing/inhibitions.ts';
import type { AlertRule } from '../testing/manifests.ts';
import { alertNames, rulesOf } from '../testing/rules.ts';
import { productCharts } from '../testing/services.ts';

const alert = (alertname: string, service: string, more: Record<string, string> = {}): AlertLabels => ({
  ...{ alertname, service, namespace: 'billing' },
  ...more,
});

const muted: [source: AlertLabels, target: AlertLabels][] = [
  [alert('MongoDbUnreachable', 'reporting'), alert('NotReady', 'reporting')],
  [alert('EventStoreUnreachable', 'invoicing'), alert('StoreFailing', 'invoicing', { store: 'eventstoredb' })],
  [alert('EventStoreUnreachable', 'invoicing'), alert('ApiErrors', 'gateway')],
  [alert('EventStoreUnreachable', 'invoicing'), alert('UpstreamFailing', 'gateway', { upstream: 'invoicing' })],
  [alert('NotReady', 'invoicing'), alert('ApiErrors', 'gateway')],
  [alert('NotReady', 'invoicing'), alert('ErrorBudget', 'gateway', { objective: 'availability' })],
  [alert('ApiErrors', 'gateway'), alert('ErrorBudget', 'gateway', { objective: 'availability' })],
  [alert('NotReady', 'invoicing'), alert('PodNotReady', 'invoicing', { pod: 'invoicing-0' })],
  [alert('KafkaUnreachable', 'invoicing'), alert('SubscriptionLag', 'invoicing', { subscription: 'invoicing.publishing' })],
  [
    alert('AuthorityCertificateExpired', 'fiscal-submission', { authority: 'al-cis', env: 'live' }),
    alert('AwaitingAuthority', 'fiscal-submission', { authority: 'al-cis', env: 'live' }),
  ],
  // One process: no service, and no namespace where Prometheus adds none.
  [{ alertname: 'MongoDbUnreachable' }, { alertname: 'ApiErrors' }],
];

test.each(muted)('%o mutes %o', (source, target) => expect(mutes(source, target)).toBe(true));

const heard: [source: AlertLabels, target: AlertLabels][] = [
  // Another service's server, say with a wrong password.
  [alert('MongoDbUnreachable', 'reporting'), alert('NotReady', 'gateway')],
  [alert('MongoDbUnreachable', 'reporting'), alert('ApiErrors', 'gateway')],
  [alert('StoreFailing', 'reporting'), alert('ApiErrors', 'gateway')],
  [alert('NotReady', 'webhooks-dispatcher'), alert('ApiErrors', 'gateway')],
  [alert('NotReady', 'invoicing'), alert('UpstreamFailing', 'gateway', { upstream: 'reporting' })],
  [alert('KafkaUnreachable', 'reporting'), alert('SubscriptionLag', 'invoicing')],
  // Another authority, and the service of the same one for test documents.
  [
    alert('AuthorityCertificateExpired', 'fiscal-submission', { authority: 'sandbox', env: 'live' }),
    alert('AwaitingAuthority', 'fiscal-submission', { authority: 'al-cis', env: 'live' }),
  ],
  [
    alert('AuthorityCertificateExpired', 'fiscal-submission', { authority: 'al-cis', env: 'test' }),
    alert('AwaitingAuthority', 'fiscal-submission', { authority: 'al-cis', env: 'live' }),
  ],
];

test.each(heard)('%o leaves %o', (source, target) => expect(mutes(source, target)).toBe(false));

test('nothing is muted by another installation', () => {
  for (const [source, target] of muted)
    expect([source, target, mutes({ ...source, namespace: 'staging' }, target)]).toEqual([source, target, false]);
});

test('the alerts of a release have its namespace, by which two installations differ', () => {
  for (const chart of productCharts)
    for (const { alert: name, labels } of rulesOf(chart)) expect([name, labels.namespace]).toEqual([name, 'billing']);
});

const minutes = (duration = '0m'): number => {
  const [, count, unit] = /^(\d+)([mh])$/.exec(duration) ?? [];
  return Number(count) * { m: 1, h: 60 }[unit as 'm' | 'h'];
};

test('a cause goes on firing until what it mutes has ended, whose windows are of two minutes', () => {
  const all = productCharts.flatMap((chart) => rulesOf(chart));
  const labelsOf = ({ alert: alertname, labels }: AlertRule): AlertLabels => ({ alertname, ...labels, upstream: 'invoicing' });
  const pairs = all.flatMap((source) =>
    all.filter((target) => mutes(labelsOf(source), labelsOf(target))).map((target) => [source, target] as const),
  );
  expect(pairs.length).toBeGreaterThan(30);
  for (const [source, target] of pairs.filter(([, { labels }]) => labels.severity === 'critical'))
    expect({ source, target, left: minutes(source.keep_firing_for) - minutes(target.keep_firing_for) >= 3 }).toMatchObject({ left: true });
});

test('the rules name alerts that there are', () => {
  const names = inhibitions.flatMap(({ source_matchers: [source = ''], target_matchers: [target = ''] }) =>
    [source, target].flatMap((matcher) => matcher.replace(/^alertname=~?"(.*)"$/, '$1').split('|')),
  );
  expect(alertNames()).toEqual(expect.arrayContaining(names));
});
