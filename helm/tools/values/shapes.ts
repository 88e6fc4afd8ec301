/** JSON schemas of values whose default does not show what they may be, by path. */
const text = { type: 'string' };
const name = { type: 'string', pattern: '^(?:|[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)$' };
const texts = { type: 'object', additionalProperties: text };
const listOf = (items: object): object => ({ type: 'array', items });
const objectOf = (properties: Record<string, object>, required: string[] = []): object => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});
const reference = (definition: string): object => ({ $ref: `#/definitions/${definition}` });
const whole = (minimum: number, maximum: number): object => ({ type: 'integer', minimum, maximum });
const oneOf = (...values: string[]): object => ({ enum: values });

const port = whole(1, 65_535);
const ports = listOf(port);
/** A program without rights listens on no port below. */
const ownPort = whole(1_024, 65_535);
/** Written once in each schema. */
export const definitions: Record<string, object> = {
  cidr: { type: 'string', pattern: '^([0-9.]+/([0-9]|[12][0-9]|3[0-2])|[0-9a-f:]+/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))$' },
  selector: objectOf({ matchLabels: texts, matchExpressions: listOf({ type: 'object' }) }),
  peer: {
    ...objectOf({
      podSelector: reference('selector'),
      namespaceSelector: reference('selector'),
      ipBlock: objectOf({ cidr: reference('cidr'), except: listOf(reference('cidr')) }, ['cidr']),
    }),
    minProperties: 1,
  },
};
const peers = listOf(reference('peer'));
const egress = listOf(
  objectOf({
    ports: listOf(objectOf({ port: { type: ['integer', 'string'] }, endPort: port, protocol: oneOf('TCP', 'UDP', 'SCTP') })),
    to: peers,
  }),
);
const host = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$' };
const quantity = { type: ['string', 'integer'], pattern: '^[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi)?$' };
const quantities = objectOf({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity });

const registry = { type: 'string', pattern: '^(?:|[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9]+([._-][a-z0-9]+)*)*)$' };

const above0 = { type: 'number', exclusiveMinimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const limits = Object.entries({
  ...{ apiErrorShare: share, rejectedShare: share, refusedNumberShare: share, webhookFailureShare: share, memoryShare: share },
  ...{ apiSeconds: above0, subscriptionLagSeconds: above0, awaitingAuthoritySeconds: above0, authoritySeconds: above0 },
  ...{ webhookDueSeconds: above0, eventLoopSeconds: above0, consumerLagEvents: whole(1, 1_000_000_000) },
}).map(([limit, schema]) => [`global.metrics.prometheusRule.limits.${limit}`, schema] as const);

/** Below 1: an objective of all has no budget. */
const shareBelow1 = { type: 'number', minimum: 0, exclusiveMaximum: 1 };
/** Bounds of the histograms that the objectives read: another one would count nothing. */
const ofRequests = { enum: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] };
const ofCodes = { enum: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200] };
const ofWebhooks = { enum: [0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800] };
const objectives = Object.entries({
  ...{ availabilityShare: shareBelow1, requestShare: shareBelow1, codeShare: shareBelow1, webhookShare: shareBelow1 },
  ...{ readSeconds: ofRequests, listSeconds: ofRequests, writeSeconds: ofRequests, fileSeconds: ofRequests },
  ...{ codeSeconds: ofCodes, webhookSeconds: ofWebhooks },
}).map(([objective, schema]) => [`global.metrics.prometheusRule.objectives.${objective}`, schema] as const);

export const shapes: Record<string, object> = {
  // A scheme or a path would be part of no image's name.
  'global.image.registry': registry,
  'image.registry': registry,
  'global.image.pullSecrets': listOf(name),
  'global.networkPolicy.monitoring': peers,
  'global.networkPolicy.dns.to': peers,
  'global.networkPolicy.dns.ports': ports,
  'global.networkPolicy.kafka.to': peers,
  'global.networkPolicy.kafka.ports': ports,
  'global.networkPolicy.mongodb.to': peers,
  'global.networkPolicy.mongodb.ports': { ...ports, minItems: 1 },
  'global.networkPolicy.eventStore.to': peers,
  'global.networkPolicy.eventStore.ports': { ...ports, minItems: 1 },
  'global.networkPolicy.otlp.to': peers,
  'global.topics.by': oneOf('job', 'strimzi', 'none'),
  'global.topics.replicas': { anyOf: [{ const: '' }, whole(1, 9)] },
  'global.topics.strimzi.cluster': name,
  'global.topics.strimzi.namespace': name,
  'global.metrics.podMonitor.labels': texts,
  'global.metrics.podMonitor.interval': { type: 'string', pattern: '^[0-9]+(ms|s|m)$' },
  'global.metrics.prometheusRule.labels': texts,
  'global.metrics.prometheusRule.runbookUrl': { type: 'string', pattern: '^\\S+$' },
  'global.metrics.prometheusRule.without': listOf({ type: 'string', pattern: '^[A-Z][A-Za-z]+$' }),
  ...Object.fromEntries([...limits, ...objectives]),
  'global.metrics.dashboards.labels': texts,
  'global.canary.prometheus': { type: 'string', pattern: '^(?:|https?://[^\\s/?#]+\\S*)$' },
  // A rate needs two reads of the metrics at least.
  'global.canary.stepSeconds': whole(60, 86_400),
  'global.canary.errorShare': share,
  'global.canary.requestSeconds': above0,
  'global.canary.lagSeconds': above0,
  'global.canary.lagEvents': whole(1, 1_000_000_000),
  'global.otlp.protocol': oneOf('', 'http/protobuf', 'http/json', 'grpc'),
  'global.otlp.signals': { ...listOf(oneOf('traces', 'metrics', 'logs')), uniqueItems: true },
  'global.otlp.traceShare': share,
  'global.otlp.resourceAttributes': texts,
  'global.otlp.headers.existingSecret': name,
  'global.otlp.headers.key': { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
  fullnameOverride: { type: 'string', pattern: '^(?:|[a-z]([a-z0-9-]{0,51}[a-z0-9])?)$' },
  'image.repository': { type: 'string', pattern: '^[a-z0-9]+([._/-][a-z0-9]+)*$' },
  'image.tag': { type: 'string', pattern: '^[A-Za-z0-9_.-]{0,128}$' },
  'image.digest': { type: 'string', pattern: '^(?:|sha256:[0-9a-f]{64})$' },
  'image.pullPolicy': oneOf('Always', 'IfNotPresent', 'Never'),
  replicas: whole(1, 100),
  rollout: oneOf('deployment', 'argo'),
  'settings.port': ownPort,
  'settings.opsPort': ownPort,
  'settings.simulatorPort': ownPort,
  'settings.alCisPort': ownPort,
  'settings.meEfiPort': ownPort,
  'settings.esVerifactuPort': ownPort,
  'settings.wireMib': whole(1, 1_048_576),
  'settings.ledgerFile': { type: 'string', pattern: '^/app/data/.' },
  'existingSecret.name': name,
  'existingSecret.asFiles': { ...listOf(text), uniqueItems: true },
  'certificates.existingSecret': name,
  'test.existingSecret': name,
  'test.key': { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
  extraEnv: listOf(
    objectOf({ name: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' }, value: text, valueFrom: { type: 'object' } }, ['name']),
  ),
  'persistence.existingClaim': name,
  'persistence.size': { type: 'string', pattern: '^[0-9]+(Mi|Gi|Ti)$' },
  'service.annotations': texts,
  'service.ipFamilyPolicy': oneOf('', 'SingleStack', 'PreferDualStack', 'RequireDualStack'),
  'ingress.annotations': texts,
  'ingress.hosts': listOf(objectOf({ host, kind: oneOf('live', 'sandbox') }, ['host'])),
  'ingress.trustedProxies': listOf({ anyOf: [reference('cidr'), { type: 'string', pattern: '^(loopback|[0-9.]+|[0-9a-f:]+)$' }] }),
  'ingress.tls.existingSecret': name,
  'httpRoute.annotations': texts,
  'httpRoute.parentRefs': listOf(objectOf({ name: text, namespace: text, sectionName: text }, ['name', 'sectionName'])),
  'httpRoute.retry.attempts': whole(0, 10),
  'httpRoute.retry.backoff': { type: 'string', pattern: '^[0-9]{1,5}(ms|s)$' },
  resources: objectOf({ requests: quantities, limits: quantities }),
  'podDisruptionBudget.maxUnavailable': whole(1, 100),
  'autoscaling.minReplicas': whole(1, 12),
  'autoscaling.maxReplicas': whole(1, 12),
  'autoscaling.targetCPUUtilization': whole(1, 100),
  'keda.kafkaAuthentication': name,
  'keda.minReplicas': whole(1, 12),
  'keda.maxReplicas': whole(1, 12),
  'keda.lagThreshold': { type: 'integer', minimum: 1 },
  'keda.prometheus.serverAddress': { type: 'string', pattern: '^(?:|https?://[^\\s/?#]+\\S*)$' },
  'keda.prometheus.dueAgeSeconds': { type: 'integer', minimum: 1 },
  'networkPolicy.clients': peers,
  'networkPolicy.webhooks': peers,
  'networkPolicy.authorities': peers,
  'networkPolicy.extraEgress': egress,
  preStopSleepSeconds: whole(0, 30),
  // The sleep, the 25 s that a process takes at most, and a reserve.
  terminationGracePeriodSeconds: whole(35, 3_600),
  minReadySeconds: whole(0, 600),
  revisionHistoryLimit: whole(0, 100),
  extraObjects: listOf({ type: 'object', required: ['apiVersion', 'kind', 'metadata'] }),
  'serviceAccount.name': name,
  'serviceAccount.annotations': texts,
  podLabels: texts,
  podAnnotations: texts,
  nodeSelector: texts,
  tolerations: listOf(
    objectOf({ key: text, operator: oneOf('Exists', 'Equal'), value: text, effect: text, tolerationSeconds: { type: 'integer' } }),
  ),
  affinity: objectOf({ nodeAffinity: { type: 'object' }, podAffinity: { type: 'object' }, podAntiAffinity: { type: 'object' } }),
};

const given = (path: string, schema: object): object => {
  const [first = '', ...rest] = path.split('.');
  return { properties: { [first]: rest.length === 0 ? schema : given(rest.join('.'), schema) } };
};
const isTrue = (path: string): object => ({ required: [path.split('.')[0]], ...given(path, { const: true }) });

/** What a value requires of others. */
export const conditions: { chart: string; if: object; then: object }[] = [
  ...['ingress', 'httpRoute'].map((way) => ({
    chart: 'gateway',
    if: isTrue(`${way}.enabled`),
    then: given('ingress', { properties: { hosts: { minItems: 1 }, trustedProxies: { minItems: 1 } } }),
  })),
  { chart: 'gateway', if: isTrue('ingress.enabled'), then: given('ingress.tls.existingSecret', { minLength: 1 }) },
  { chart: 'gateway', if: isTrue('httpRoute.enabled'), then: given('httpRoute.parentRefs', { minItems: 1 }) },
  // Each replica would make accounts of its own.
  { chart: 'gateway', if: given('development.setupFile', { minLength: 1 }), then: given('replicas', { const: 1 }) },
  ...['invoicing', 'fiscal-submission'].map((chart) => ({
    chart,
    if: given('global.topics.by', { const: 'strimzi' }),
    then: given('global.topics.strimzi.cluster', { minLength: 1 }),
  })),
];
