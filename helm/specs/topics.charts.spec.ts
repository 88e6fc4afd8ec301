import { topics } from '@svc/contracts/events/envelope';
import { PARTITIONS, topicConfigs } from '@svc/event-bus/kafka/topics';
import { MAX_BATCH_BYTES } from '@svc/event-bus/envelope';
import type { Manifest, Kinds } from '../testing/manifests.ts';
import { find, get, render, renderExample } from '../testing/render.ts';
import { publishedBy, subscriptionsOf } from '../testing/service-topics.ts';
import { allCharts, manifestOf, productCharts } from '../testing/services.ts';

const variables = (chart: string, values = {}): Record<string, string | undefined> => {
  const { env = [] } = get(render(chart, values), 'Job').spec.template.spec.containers[0];
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
};
const everyTopic = Object.values(topics).sort();

test.each(productCharts)(
  'the Job of %s creates its topics before install and upgrade, within two minutes, and needs no other object',
  (chart) => {
    const { metadata, spec } = get(render(chart), 'Job');
    expect(metadata).toMatchObject({
      name: `${chart}-topics`,
      annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' },
    });
    expect([spec.activeDeadlineSeconds, spec.template.spec.restartPolicy]).toEqual([120, 'Never']);
    const { containers, serviceAccountName, volumes } = spec.template.spec;
    expect([serviceAccountName, volumes, containers[0].envFrom]).toEqual([undefined, undefined, undefined]);
    expect(containers[0].env?.filter(({ valueFrom }) => valueFrom)).toEqual([]);
    expect(containers[0]).toMatchObject({
      image: `invoicing-platform/${chart}:${manifestOf(chart).appVersion}`,
      command: ['node', '--disable-warning=TimeoutNegativeWarning', 'node_modules/@svc/service/dist/process/create-topics.js'],
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    expect(spec.template.spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
  },
);

test.each(productCharts)('the Job of %s gets the brokers, the namespace and the number of copies', (chart) => {
  expect(variables(chart)).toEqual({ KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9093', NAMESPACE: '', TOPICS: expect.any(String) });
  const values = { global: { topics: { replicas: 2 }, settings: { namespace: 'blue' } } };
  expect(variables(chart, values)).toMatchObject({ NAMESPACE: 'blue', TOPIC_REPLICAS: '2' });
});

test.each(productCharts)('the Job of %s reaches a secured Kafka as the service does', (chart) => {
  const settings = { kafkaTls: true, kafkaTlsCaFile: '/certs/ca.crt', kafkaSaslMechanism: 'scram-sha-512', kafkaUsername: 'invoicing' };
  const values = {
    global: { settings },
    certificates: { existingSecret: 'kafka-ca' },
    existingSecret: { keys: { kafkaPassword: 'password' } },
  };
  const { containers, volumes } = get(render(chart, values), 'Job').spec.template.spec;
  expect(containers[0].env).toEqual(
    expect.arrayContaining([
      { name: 'KAFKA_TLS', value: 'true' },
      { name: 'KAFKA_TLS_CA_FILE', value: '/certs/ca.crt' },
      { name: 'KAFKA_SASL_MECHANISM', value: 'scram-sha-512' },
      { name: 'KAFKA_USERNAME', value: 'invoicing' },
      { name: 'KAFKA_PASSWORD', valueFrom: { secretKeyRef: { name: expect.any(String), key: 'password' } } },
    ]),
  );
  expect(containers[0].volumeMounts).toEqual([{ name: 'certificates', mountPath: '/certs', readOnly: true }]);
  expect(volumes).toEqual([{ name: 'certificates', secret: { secretName: 'kafka-ca', defaultMode: 0o440 } }]);
});

test.each(productCharts)('the Job of %s creates exactly what the service publishes and consumes', async (chart) => {
  const consumed = (await subscriptionsOf(chart)).map(({ topic }) => topic);
  const own = [...new Set([...(await publishedBy(chart)), ...consumed])].sort();
  expect(own.length).toBeGreaterThan(0);
  expect(variables(chart)['TOPICS']?.split(',').sort()).toEqual(own);
});

test('its pods are no pods of the service', () => {
  for (const chart of productCharts) {
    const { selector } = get(render(chart), 'Service', chart).spec;
    const { labels } = get(render(chart), 'Job').spec.template.metadata;
    expect(Object.entries(selector).every(([name, value]) => labels[name] === value)).toBe(false);
  }
});

const strimzi = { global: { topics: { by: 'strimzi', strimzi: { cluster: 'main' } } } };
const kafkaTopics = (manifests: Manifest[]): Kinds['KafkaTopic'][] =>
  manifests.filter(({ kind }) => kind === 'KafkaTopic') as Kinds['KafkaTopic'][];

test('with Strimzi each topic is an object of the chart whose service publishes it, as the program itself would create it', async () => {
  const topicsOf = (chart: string) => kafkaTopics(render(chart, strimzi)).map(({ spec }) => spec.topicName);
  // All services publish changes of settings: the gateway, which keeps them, owns the topic.
  const ownedBy = async (chart: string) => (await publishedBy(chart)).filter((topic) => topic !== topics.setting || chart === 'gateway');
  for (const chart of allCharts) expect([chart, ...topicsOf(chart).sort()]).toEqual([chart, ...(await ownedBy(chart)).sort()]);
  const objects = allCharts.flatMap((chart) => kafkaTopics(render(chart, strimzi)));
  expect(objects.map(({ spec }) => spec.topicName).sort()).toEqual(everyTopic);
  for (const { metadata, spec } of objects) {
    expect(metadata).toMatchObject({ labels: { 'strimzi.io/cluster': 'main' }, annotations: { 'helm.sh/resource-policy': 'keep' } });
    expect([spec.partitions, spec.replicas]).toEqual([PARTITIONS, 3]);
    const config = Object.fromEntries(Object.entries(spec.config).map(([name, value]) => [name, String(value)]));
    const own = topicConfigs[spec.topicName as keyof typeof topicConfigs];
    expect(config).toEqual({ ...own, 'max.message.bytes': String(MAX_BATCH_BYTES), 'min.insync.replicas': '2' });
  }
});

test('with Strimzi there are no Jobs, and topics of a namespace are where the topic operator looks', () => {
  const manifests = renderExample('strimzi');
  expect(manifests.map(({ kind }) => kind)).not.toContain('Job');
  const places = kafkaTopics(manifests).map(({ metadata, spec }) => [metadata.namespace, metadata.name === spec.topicName]);
  expect(places).toEqual(everyTopic.map(() => ['kafka', true]));
  expect(
    kafkaTopics(manifests)
      .map(({ spec }) => spec.topicName)
      .sort(),
  ).toEqual(everyTopic.map((topic) => `blue.${topic}`));
});

test.each(productCharts)('%s has neither where somebody else creates the topics', (chart) => {
  const manifests = render(chart, { global: { topics: { by: 'none' } } });
  expect([find(manifests, 'Job'), kafkaTopics(manifests)]).toEqual([undefined, []]);
});
