import { get, render, type Values } from '../testing/render.ts';
import type { Container, PodSpec } from '../testing/manifests.ts';
import { allCharts, manifestOf, productCharts } from '../testing/services.ts';

const deployment = (chart: string, values?: Values) => get(render(chart, values), 'Deployment');
const pod = (chart: string, values?: Values): PodSpec => deployment(chart, values).spec.template.spec;
const container = (chart: string, values?: Values): Container => pod(chart, values).containers[0];

describe.each(allCharts)('the pods of %s', (chart) => {
  test('meet the restricted PodSecurity standard, and have a read-only root and no token', () => {
    const { securityContext, automountServiceAccountToken, enableServiceLinks, containers } = pod(chart);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } });
    expect([automountServiceAccountToken, enableServiceLinks]).toEqual([false, false]);
    expect(containers).toHaveLength(1);
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('run the service’s image of the chart’s release, from the given registry or by digest', () => {
    expect(container(chart)).toMatchObject({
      image: `invoicing-platform/${chart}:${manifestOf(chart).appVersion}`,
      imagePullPolicy: 'IfNotPresent',
    });
    const global = { image: { registry: 'registry.example.com/x', tag: '7', pullSecrets: ['pull'] } };
    expect(container(chart, { global }).image).toBe(`registry.example.com/x/invoicing-platform/${chart}:7`);
    expect(pod(chart, { global }).imagePullSecrets).toEqual([{ name: 'pull' }]);
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(container(chart, { global, image: { digest } }).image).toBe(`registry.example.com/x/invoicing-platform/${chart}@${digest}`);
    expect(container(chart, { global, image: { registry: 'other', tag: '8' } }).image).toBe(`other/invoicing-platform/${chart}:8`);
  });

  test('are found by the selector, whose labels no other object of the release has', () => {
    const { selector, template } = deployment(chart).spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(selector.matchLabels).toEqual({
      'app.kubernetes.io/name': chart,
      'app.kubernetes.io/instance': 'system',
      'app.kubernetes.io/component': 'service',
    });
  });

  test('are replaced when a setting changes, and not when only the chart’s labels do', () => {
    const checksum = (values?: Values) => deployment(chart, values).spec.template.metadata.annotations?.['checksum/settings'];
    expect(checksum()).toBe(checksum({ replicas: undefined, podLabels: { team: 'billing' } }));
    expect(checksum()).not.toBe(checksum({ settings: { logLevel: 'debug' } }));
  });

  test('run where the values say', () => {
    const where = {
      priorityClassName: 'high',
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'billing', operator: 'Exists' }],
      affinity: { podAffinity: {} },
    };
    expect(pod(chart, where)).toMatchObject(where);
    expect(pod(chart)).not.toHaveProperty('affinity');
    const { metadata } = deployment(chart, { podLabels: { team: 'billing' }, podAnnotations: { note: 'x' } }).spec.template;
    expect([metadata.labels['team'], metadata.annotations?.['note']]).toEqual(['billing', 'x']);
  });

  test('have a limit of memory and none of CPU, which would only slow them down', () => {
    const { requests, limits } = container(chart).resources;
    expect([Object.keys(requests).sort(), Object.keys(limits)]).toEqual([['cpu', 'memory'], ['memory']]);
  });
});

describe.each(productCharts)('the pods of %s', (chart) => {
  test('are asked for health and readiness on the operators’ port', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = container(chart);
    expect(ports).toEqual([
      { name: 'http', containerPort: 3000 },
      { name: 'ops', containerPort: 3001 },
    ]);
    expect([startupProbe?.httpGet, livenessProbe?.httpGet, readinessProbe?.httpGet]).toEqual([
      { path: '/healthz', port: 'ops' },
      { path: '/healthz', port: 'ops' },
      { path: '/readyz', port: 'ops' },
    ]);
    // A check of a server gives up after 2 s.
    expect(Math.min(livenessProbe?.timeoutSeconds ?? 0, readinessProbe?.timeoutSeconds ?? 0)).toBeGreaterThan(2);
  });

  test('leave their Service before SIGTERM, and have time to finish: 25 s and a reserve after the sleep', () => {
    const { terminationGracePeriodSeconds = 0, containers } = pod(chart);
    const sleep = containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
    expect(sleep).toBeGreaterThanOrEqual(3);
    expect(terminationGracePeriodSeconds).toBe(chart === 'webhooks-dispatcher' ? 60 : 45);
    expect(terminationGracePeriodSeconds - sleep).toBeGreaterThan(25);
  });

  test('are replaced one by one, the old one after the new one is ready, and spread over nodes and zones', () => {
    const { strategy, replicas, minReadySeconds, revisionHistoryLimit } = deployment(chart).spec;
    expect([minReadySeconds, revisionHistoryLimit]).toEqual([5, 3]);
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(replicas).toBe(2);
    const spread = pod(chart).topologySpreadConstraints ?? [];
    expect(spread.map(({ topologyKey, whenUnsatisfiable }) => [topologyKey, whenUnsatisfiable])).toEqual([
      ['kubernetes.io/hostname', 'ScheduleAnyway'],
      ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
    ]);
  });

  test('read credentials from the Secret that is named, by the keys that are named', () => {
    const given = { existingSecret: { name: 'mine', keys: { mongodbUrl: 'uri' } } };
    const secrets = container(chart, given).env?.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef]) ?? [];
    expect(Object.fromEntries(secrets)).toMatchObject({
      MONGODB_URL: { name: 'mine', key: 'uri' },
      INTERNAL_KEYS: { name: 'mine', key: 'INTERNAL_KEYS' },
      OPS_TOKEN: { name: 'mine', key: 'OPS_TOKEN', optional: true },
    });
    const optional = container(chart, given).env?.filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional);
    const more: Record<string, string[]> = { gateway: ['ADMIN_TOKENS', 'SMTP_URL'], 'fiscal-submission': ['ES_VERIFACTU_PASSPHRASE'] };
    expect(optional?.map(({ name }) => name).sort()).toEqual([...(more[chart] ?? []), 'OPS_TOKEN'].sort());
    expect(render(chart, given).map(({ kind }) => kind)).not.toContain('Secret');
  });

  test('read the password of the user at Kafka where there is one', () => {
    const password = (values: Values) => container(chart, values).env?.find(({ name }) => name === 'KAFKA_PASSWORD');
    expect(password({})).toBeUndefined();
    const secured = { kafkaTls: true, kafkaSaslMechanism: 'scram-sha-512', kafkaUsername: 'invoicing' };
    expect(password({ global: { settings: secured } })?.valueFrom?.secretKeyRef).toMatchObject({ key: 'KAFKA_PASSWORD' });
  });

  test('are not rendered without the name of a Secret; the error names its keys', () => {
    expect(() => render(chart, { existingSecret: { name: '' } })).toThrow(/existingSecret.name is empty.*INTERNAL_KEYS, MONGODB_URL/);
  });

  test('have what else the values give them: variables, certificates', () => {
    const variable = { name: 'OTEL_EXPORTER_OTLP_HEADERS', value: 'x=y' };
    const { containers, volumes } = pod(chart, { extraEnv: [variable], certificates: { existingSecret: 'ca' } });
    expect(containers[0].env).toContainEqual(variable);
    expect(containers[0].volumeMounts).toContainEqual({ name: 'certificates', mountPath: '/certs', readOnly: true });
    expect(volumes).toContainEqual({ name: 'certificates', secret: { secretName: 'ca', defaultMode: 0o440 } });
    const mounts = containers[0].volumeMounts?.map(({ mountPath }) => mountPath);
    expect(mounts).toEqual(['/tmp', '/app/data', '/certs']);
  });
});
