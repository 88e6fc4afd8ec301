import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { getMetadataStorage, IsOptional } from 'class-validator';
import { Counter, register } from 'prom-client';

let calls = 0;

const state = () => ({
  calls,
  metrics: register.getMetricsAsArray().length,
  validated: getMetadataStorage().hasValidationMetaData,
  traced: trace.getTracer('left').startSpan('left').isRecording(),
  variable: process.env['LEFT_BEHIND'],
  isAway: process.cwd() === '/',
  listeners: process.listenerCount('SIGWINCH'),
  fetch: globalThis.fetch.name,
  isToday: Date.now() > Date.UTC(2026, 0),
});

/** Two test files call it, and find the same. */
export function leaveTraces(): void {
  expect(state()).toEqual({
    ...{ calls: 0, metrics: 0, validated: false, traced: false, variable: undefined, isAway: false },
    ...{ listeners: 0, fetch: 'fetch', isToday: true },
  });
  calls += 1;
  new Counter({ name: 'left_behind', help: 'x' }).inc();
  IsOptional()({}, 'name');
  new NodeTracerProvider().register();
  process.env['LEFT_BEHIND'] = 'yes';
  process.chdir('/');
  process.on('SIGWINCH', () => undefined);
  globalThis.fetch = function replaced() {
    return Promise.reject(new Error('replaced'));
  };
  jest.useFakeTimers({ now: 0 });
  expect(state()).toEqual({
    ...{ calls: 1, metrics: 1, validated: true, traced: true, variable: 'yes', isAway: true },
    ...{ listeners: 1, fetch: 'replaced', isToday: false },
  });
}
