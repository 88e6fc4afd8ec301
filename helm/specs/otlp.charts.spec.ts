import type { EnvVar } from '../testing/manifests.ts';
import { get, render, type Values } from '../testing/render.ts';
import { manifestOf, productCharts } from '../testing/services.ts';

const endpoint = { settings: { otelExporterOtlpEndpoint: 'http://collector:4318' } };
const otelOf = (chart: string, global: Values): Record<string, EnvVar> => {
  const manifests = render(chart, { global });
  const env = get(manifests, 'Deployment').spec.template.spec.containers[0].env ?? [];
  return Object.fromEntries(env.filter(({ name }) => /^OTEL_|^POD_NAME$/.test(name)).map((variable) => [variable.name, variable]));
};

describe.each(productCharts)('the telemetry of %s', (chart) => {
  test('is off where no collector is named', () => {
    expect(otelOf(chart, { otlp: { traceShare: 0.1, protocol: 'grpc' } })).toEqual({});
    expect(get(render(chart), 'ConfigMap').data).not.toHaveProperty('OTEL_EXPORTER_OTLP_ENDPOINT');
  });

  test('goes to the collector, all of it, named by pod, namespace and version', () => {
    expect(get(render(chart, { global: endpoint }), 'ConfigMap').data).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    });
    expect(otelOf(chart, endpoint)).toEqual({
      POD_NAME: { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      OTEL_RESOURCE_ATTRIBUTES: {
        name: 'OTEL_RESOURCE_ATTRIBUTES',
        value: `k8s.pod.name=$(POD_NAME),k8s.namespace.name=billing,service.version=${manifestOf(chart).appVersion}`,
      },
    });
  });

  test('is what the values say: protocol, signals, share of traces, attributes, headers', () => {
    const otlp = {
      protocol: 'grpc',
      signals: ['traces'],
      traceShare: 0.25,
      resourceAttributes: { 'deployment.environment.name': 'production' },
      headers: { existingSecret: 'collector', key: 'headers' },
    };
    const all = otelOf(chart, { ...endpoint, otlp });
    const values = Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));
    expect(values).toMatchObject({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_RESOURCE_ATTRIBUTES: expect.stringContaining(',deployment.environment.name=production,') as string,
    });
    expect(values).not.toHaveProperty('OTEL_TRACES_EXPORTER');
    expect(all['OTEL_EXPORTER_OTLP_HEADERS']?.valueFrom).toEqual({ secretKeyRef: { name: 'collector', key: 'headers' } });
  });
});

test('a protocol, a signal or a share that there is not is refused', () => {
  const refused =
    (otlp: Values): (() => unknown) =>
    () =>
      render('gateway', { global: { ...endpoint, otlp } });
  expect(refused({ protocol: 'http' })).toThrow('/global/otlp/protocol');
  expect(refused({ signals: ['spans'] })).toThrow('/global/otlp/signals/0');
  expect(refused({ traceShare: 10 })).toThrow('/global/otlp/traceShare');
});
