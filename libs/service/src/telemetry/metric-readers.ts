import { diag } from '@opentelemetry/api';
import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import {
  ConsoleMetricExporter,
  PeriodicExportingMetricReader,
  type IMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { registryProducer } from './registry-producer.ts';

type Env = Readonly<Record<string, string | undefined>>;

const INTERVAL_MS = 60_000;
const TIMEOUT_MS = 30_000;

/**
 * The readers of `OTEL_METRICS_EXPORTER`, as the SDK makes them, but with prom-client's registry as a further source, which the SDK's own cannot
 * have.
 */
export function metricReaders(env: Env): IMetricReader[] {
  const names = (env['OTEL_METRICS_EXPORTER']?.trim() || 'otlp').split(',').map((name) => name.trim());
  if (names.includes('none')) return [];
  const exportIntervalMillis = milliseconds(env['OTEL_METRIC_EXPORT_INTERVAL'], INTERVAL_MS);
  const exportTimeoutMillis = Math.min(milliseconds(env['OTEL_METRIC_EXPORT_TIMEOUT'], TIMEOUT_MS), exportIntervalMillis);
  return [...new Set(names)].flatMap((name) => {
    const exporter = exporterOf(name, env);
    if (exporter === undefined) return [];
    return new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis,
      metricProducers: [registryProducer()],
    });
  });
}

function exporterOf(name: string, env: Env): PushMetricExporter | undefined {
  if (name === 'console') return new ConsoleMetricExporter();
  if (name === 'otlp')
    return otlpExporter(env['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL']?.trim() || env['OTEL_EXPORTER_OTLP_PROTOCOL']?.trim());
  if (name === 'prometheus') diag.warn('OTEL_METRICS_EXPORTER prometheus: the operators’ port serves /metrics already');
  else diag.warn(`OTEL_METRICS_EXPORTER ${name} is not known: it may be otlp, console or none`);
  return undefined;
}

function otlpExporter(protocol = 'http/protobuf'): PushMetricExporter {
  if (protocol === 'grpc') return new GrpcExporter();
  if (protocol === 'http/json') return new JsonExporter();
  if (protocol !== 'http/protobuf') diag.warn(`OTEL_EXPORTER_OTLP_PROTOCOL ${protocol} is not known: http/protobuf is used`);
  return new ProtobufExporter();
}

const milliseconds = (text: string | undefined, usual: number): number => (text !== undefined && Number(text) > 0 ? Number(text) : usual);
