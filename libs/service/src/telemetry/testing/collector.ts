import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An attribute in OTLP's JSON. */
export interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
  /** `service.name` of its resource. */
  service: string;
}

interface Point {
  attributes: Attribute[];
  asDouble?: number;
  asInt?: number | string;
  count?: number;
  sum?: number;
  bucketCounts?: number[];
  explicitBounds?: number[];
}

export interface CollectedMetric {
  name: string;
  unit: string;
  sum?: { dataPoints: Point[]; isMonotonic: boolean };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
  service: string;
}

export interface CollectedLog {
  severityText: string;
  severityNumber: number;
  body: { stringValue: string };
  attributes: Attribute[];
  traceId?: string;
  spanId?: string;
  service: string;
}

interface Resourced {
  resource: { attributes: Attribute[] };
}
interface Body {
  resourceSpans?: (Resourced & { scopeSpans: { spans: CollectedSpan[] }[] })[];
  resourceMetrics?: (Resourced & { scopeMetrics: { metrics: CollectedMetric[] }[] })[];
  resourceLogs?: (Resourced & { scopeLogs: { logRecords: CollectedLog[] }[] })[];
}

/** A collector of OTLP/HTTP in JSON (`OTEL_EXPORTER_OTLP_PROTOCOL=http/json`) that keeps everything it receives. */
export async function startCollector() {
  const got = { spans: [] as CollectedSpan[], metrics: [] as CollectedMetric[], logs: [] as CollectedLog[] };
  const take = ({ resourceSpans = [], resourceMetrics = [], resourceLogs = [] }: Body): void => {
    for (const { resource, scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) got.spans.push(...named(resource, spans));
    for (const { resource, scopeMetrics } of resourceMetrics)
      for (const { metrics } of scopeMetrics) got.metrics.push(...named(resource, metrics));
    for (const { resource, scopeLogs } of resourceLogs)
      for (const { logRecords } of scopeLogs) got.logs.push(...named(resource, logRecords));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...got, close };
}

/** The value of an attribute as text. */
export const attribute = ({ attributes }: { attributes: Attribute[] }, key: string): string | undefined => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value && String(Object.values(value)[0]);
};

const named = <T>({ attributes }: Resourced['resource'], all: T[]): (T & { service: string })[] =>
  all.map((one) => ({ ...one, service: attribute({ attributes }, 'service.name') ?? '' }));
