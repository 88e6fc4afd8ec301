import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
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
import { type MetricType, register } from 'prom-client';

/** As prom-client shows a metric; its own types say less. */
interface Shown {
  name: string;
  help: string;
  type: MetricType | `${Lowercase<keyof typeof MetricType>}`;
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}

interface Read {
  get(): Promise<Shown>;
}

/** prom-client's registry, which is the one that this process counts in, for a reader of OpenTelemetry. Cumulative since the process began. */
export function registryProducer(): MetricProducer {
  const startTime = timeOf(clock.now() - process.uptime() * 1000);
  return {
    async collect() {
      // Some are read from servers: one that is away takes its own metric along, and no other.
      const shown = await Promise.allSettled(register.getMetricsAsArray().map((metric) => (metric as unknown as Read).get()));
      const period = { startTime, endTime: timeOf(clock.now()) };
      const metrics = shown.flatMap((one) => (one.status === 'fulfilled' ? (dataOf(one.value, period) ?? []) : []));
      const errors = shown.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'svc' }, metrics }] }, errors };
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
  return undefined; // there are no summaries
}

/** Buckets of Prometheus count all below their bound, those of OpenTelemetry what is between two. */
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

/** Names say their unit (`svc_<what>_<unit>`); OpenTelemetry has it apart, as UCUM spells it. */
const unitOf = (name: string): string => (/_seconds(?:_total)?$/.test(name) ? 's' : /_bytes(?:_total)?$/.test(name) ? 'By' : '');

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
