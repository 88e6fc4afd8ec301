import { iso, systemClock } from '@svc/kernel';
import { FiscalSystem } from '../testing/system.ts';
import { drive } from './drive.ts';
import { openSubmission } from './consumer.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

test('releases the circuit breaker’s probe when its call fails to start', async () => {
  const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:9' });
  const { context } = system.fiscal;
  const row = await openSubmission(context, system.requested());
  const breaker = new CircuitBreaker(1);
  for (let n = 1; n <= 10; n += 1) breaker.record(`doc${n}`, false, 0);
  const noPermit = { acquire: () => Promise.reject(new Error('no permit')), release: () => undefined };
  await expect(drive(context, breaker, row!, noPermit, new AbortController().signal)).rejects.toThrow('no permit');
  expect(breaker.admit('other', systemClock.now())).toEqual({ go: true });
  await system.close();
});

test('what states a time that this machine’s clock has not reached is sent at that time, once', async () => {
  const times: number[] = [];
  const http = async () => {
    times.push(systemClock.now());
    return { status: 503, headers: {}, body: Buffer.from('{}') };
  };
  const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:9', http, pace: 'live' });
  const issued = systemClock.now() + 1_200;
  await system.submit({ issued_at: iso(issued) });
  for (let n = 0; n < 1_000 && times.length === 0; n += 1) await systemClock.sleep(10);
  expect(times).toHaveLength(1);
  expect(times[0]).toBeGreaterThanOrEqual(issued);
  await system.close();
});
