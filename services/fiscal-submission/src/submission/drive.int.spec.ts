import { iso, systemClock } from '@svc/kernel';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import { ahead, FiscalSystem, restarted } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import { drive } from './drive.ts';
import { openSubmission } from './consumer.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { Result } from './domain/facts.ts';

test('releases the circuit breaker’s probe when its call fails to start', async () => {
  const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:9' });
  const { context } = system.fiscal;
  const row = await openSubmission(context, system.requested());
  const breaker = new CircuitBreaker(1);
  for (let n = 1; n <= 10; n += 1) breaker.record({ _id: `doc${n}`, account: `acct${n}` }, false, 0);
  const noPermit = { acquire: () => Promise.reject(new Error('no permit')), release: () => undefined };
  await expect(drive(context, breaker, row!, noPermit, new AbortController().signal)).rejects.toThrow('no permit');
  expect(breaker.admit({ _id: 'other', account: 'acct' }, systemClock.now())).toEqual({ go: true });
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

test('a call by a clock that was an hour ahead, whose process died, is given up when the request comes again, and its doubt is settled by a query', async () => {
  const sandbox = sandboxAuthority('http://127.0.0.1:9') as Authority;
  const registered: Result = { kind: 'registered', code: 'C', registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
  const authority: Authority = { ...sandbox, needs: { ...sandbox.needs, settle: 300_000 }, read: () => registered };
  const options = { simulatorUrl: 'http://127.0.0.1:9', authorities: new Map([[authority.id, authority]]) };
  const asked = Promise.withResolvers<void>();
  const before = new FiscalSystem({
    ...options,
    http: () => (asked.resolve(), new Promise(() => undefined)),
    clock: ahead(3_600_000),
  });
  const request = before.requested();
  await before.consumer.on([request]);
  await asked.promise;
  before.crash();
  const system = restarted(before, { ...options, http: async () => ({ status: 200, headers: {}, body: Buffer.from('{}') }) });
  await system.consumer.on([request]);
  await system.until(request.subject, 'registered');
  expect((await system.attempts(request.subject)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['submit', 'unknown'],
    ['query', 'registered'],
  ]);
  await system.close();
});
