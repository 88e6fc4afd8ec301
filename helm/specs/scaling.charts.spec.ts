import { inNamespace, PARTITIONS } from '@svc/event-bus/kafka/topics';
import { find, get, render, type Values } from '../testing/render.ts';
import { subscriptionsOf } from '../testing/service-topics.ts';
import { productCharts } from '../testing/services.ts';

const byCpu = ['gateway', 'invoicing'];
const byEvents = ['fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const scaled = (chart: string, more: Values = {}): Values =>
  byCpu.includes(chart) ? { autoscaling: { enabled: true, ...more } } : { keda: { enabled: true, ...more } };

test.each(productCharts)('%s has a fixed number of pods unless a scaler is enabled, which then is the only one that sets it', (chart) => {
  const fixed = render(chart, { replicas: 4 });
  expect([find(fixed, 'HorizontalPodAutoscaler'), find(fixed, 'ScaledObject')]).toEqual([undefined, undefined]);
  expect(get(fixed, 'Deployment').spec.replicas).toBe(4);
  const manifests = render(chart, scaled(chart));
  expect(get(manifests, 'Deployment').spec).not.toHaveProperty('replicas');
  const scalers = manifests.filter(({ kind }) => ['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind));
  expect(scalers.map(({ kind }) => kind)).toEqual([byCpu.includes(chart) ? 'HorizontalPodAutoscaler' : 'ScaledObject']);
});

test.each(byCpu)('%s is scaled by the use of the CPU, up to one pod for each partition', (chart) => {
  const { spec } = get(render(chart, scaled(chart)), 'HorizontalPodAutoscaler');
  expect([spec.scaleTargetRef.name, spec.minReplicas, spec.maxReplicas]).toEqual([chart, 2, PARTITIONS]);
  expect(spec.metrics).toEqual([{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }]);
});

test.each(byEvents)('%s is scaled by the events that wait for its group, up to one pod for each partition', (chart) => {
  const { spec } = get(render(chart, scaled(chart, { lagThreshold: 900 })), 'ScaledObject');
  expect([spec.scaleTargetRef.name, spec.minReplicaCount, spec.maxReplicaCount]).toEqual([chart, 2, PARTITIONS]);
  for (const { type, metadata } of spec.triggers) {
    expect(type).toBe('kafka');
    expect(metadata).toMatchObject({ bootstrapServers: 'kafka-1:9092,kafka-2:9093', lagThreshold: '900', offsetResetPolicy: 'earliest' });
  }
});

test.each(byEvents)('the group and the topics by which %s is scaled are those that it joins, in its namespace', async (chart) => {
  const subscriptions = await subscriptionsOf(chart);
  const triggersIn = (namespace: string) =>
    get(render(chart, { ...scaled(chart), global: { settings: { namespace } } }), 'ScaledObject').spec.triggers.map(
      ({ metadata }) => `${metadata['consumerGroup']} ${metadata['topic']}`,
    );
  expect(triggersIn('').sort()).toEqual(subscriptions.map(({ group, topic }) => `${group} ${topic}`).sort());
  const named = (name: string): string => inNamespace('blue', name);
  expect(triggersIn('blue').sort()).toEqual(subscriptions.map(({ group, topic }) => `${named(group)} ${named(topic)}`).sort());
});

test.each(byEvents)('%s is not scaled by a Kafka that asks for TLS or a user unless KEDA gets credentials', (chart) => {
  for (const settings of [{ kafkaTls: true }, { kafkaTls: true, kafkaSaslMechanism: 'scram-sha-512', kafkaUsername: 'invoicing' }]) {
    const secured = { global: { settings } };
    expect(() => render(chart, { ...scaled(chart), ...secured })).toThrow(`${chart}: keda.kafkaAuthentication is empty`);
    const { spec } = get(render(chart, { ...scaled(chart, { kafkaAuthentication: 'kafka' }), ...secured }), 'ScaledObject');
    expect(spec.triggers[0]).toMatchObject({ authenticationRef: { name: 'kafka' } });
  }
});

test('the dispatcher is scaled by the age of what is due as well, where Prometheus is named', () => {
  const prometheus = { serverAddress: 'http://prometheus:9090', dueAgeSeconds: 45 };
  const { spec } = get(render('webhooks-dispatcher', scaled('webhooks-dispatcher', { prometheus })), 'ScaledObject');
  expect(spec.triggers.at(-1)).toMatchObject({
    type: 'prometheus',
    metricType: 'Value',
    metadata: {
      serverAddress: 'http://prometheus:9090',
      threshold: '45',
      query: 'max(svc_webhook_due_lag_seconds{namespace="billing",pod=~"webhooks-dispatcher-.+"})',
    },
  });
});

test.each(productCharts)('%s is not rendered with fewer pods at most than at least', (chart) => {
  expect(() => render(chart, scaled(chart, { minReplicas: 5, maxReplicas: 4 }))).toThrow(
    /minReplicas is 5, above \w+\.maxReplicas, which is 4/,
  );
});

test.each(productCharts)('a budget limits evictions of %s as soon as there are two pods', (chart) => {
  const budget = (values: Values) => find(render(chart, values), 'PodDisruptionBudget');
  expect(budget({ replicas: 1 })).toBeUndefined();
  expect(budget({ replicas: 2 })?.spec).toMatchObject({ maxUnavailable: 1 });
  expect(budget({ replicas: 2 })?.spec.selector).toEqual(get(render(chart), 'Deployment').spec.selector);
  expect(budget({ replicas: 1, ...scaled(chart, { minReplicas: 2 }) })?.spec.maxUnavailable).toBe(1);
  expect(budget({ replicas: 2, ...scaled(chart, { minReplicas: 1 }) })).toBeUndefined();
  expect(budget({ replicas: 3, podDisruptionBudget: { maxUnavailable: 2 } })?.spec.maxUnavailable).toBe(2);
  expect(budget({ replicas: 3, podDisruptionBudget: { enabled: false } })).toBeUndefined();
});
