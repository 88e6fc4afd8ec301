import { diag, ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { systemClock as clock } from '@svc/kernel';
import type { MetricType } from 'prom-client';
import { metricsReader } from './read-metrics.ts';

/** A metric of prom-client, whose own types lack some of these fields. */
interface Shown {
  name: string;
  help: string;
  type: MetricType | `${Lowercase<keyof typeof MetricType>}`;
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}

interface Read {
  get(): Promise<Shown>;
}

/** Exposes prom-client's registry to a reader of OpenTelemetry. Cumulative since the start of the process. */
export function registryProducer(): MetricProducer {
  const startTime = timeOf(clock.now() - process.uptime() * 1000);
  const logger = { warn: (fields: object, message: string): void => diag.warn(message, fields) };
  const read = metricsReader((metric) => (metric as unknown as Read).get(), { logger });
  return {
    async collect() {
      const shown = await read();
      const period = { startTime, endTime: timeOf(clock.now()) };
      const metrics = shown.flatMap((one) => dataOf(one, period) ?? []);
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'svc' }, metrics }] }, errors: [] };
    },
  };
}

type Period = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function dataOf({ name, help, type, values }: Shown, period: Period): MetricData | undefined {
  const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const about = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const points = (): DataPoint<number>[] => values.map(({ value, labels }) => ({ ...period, attributes: textsOf(labels), value }));
  if (type === 'counter') return { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
  if (type === 'gauge') return { ...about, dataPointType: DataPointType.GAUGE, dataPoints: points() };
  if (type === 'histogram') return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(name, values, period) };
  return undefined; // the product has no summaries
}

/** Prometheus buckets count all values up to their bound, OpenTelemetry's those between two bounds. */
function histogramsOf(name: string, values: Shown['values'], period: Period): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  return [...series.values()].map((all) => {
    const { le: _le, ...labels } = all[0]?.labels ?? {};
    const valueOf = (suffix: string): number => all.find(({ metricName }) => metricName === `${name}${suffix}`)?.value ?? 0;
    const buckets = all
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels: { le }, value }) => ({ bound: le === '+Inf' ? Infinity : Number(le), value }))
      .sort((a, b) => a.bound - b.bound);
    const counts = buckets.map(({ value }, n) => value - (buckets[n - 1]?.value ?? 0));
    const boundaries = buckets.map(({ bound }) => bound).filter((bound) => bound !== Infinity);
    const value: Histogram = { buckets: { boundaries, counts }, sum: valueOf('_sum'), count: valueOf('_count') };
    return { ...period, attributes: textsOf(labels), value };
  });
}

const textsOf = (labels: Record<string, string | number>): Attributes =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

/** The unit in a name (`svc_<what>_<unit>`), in UCUM, which OpenTelemetry has as a separate field. */
const unitOf = (name: string): string => (/_seconds(?:_total)?$/.test(name) ? 's' : /_bytes(?:_total)?$/.test(name) ? 'By' : '');

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
