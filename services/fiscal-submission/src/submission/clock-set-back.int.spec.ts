import { systemClock, type Clock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import { type Http, NotSent } from '../sending/http.ts';
import { FiscalSystem } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import type { Result } from './domain/facts.ts';

const ORIGIN = 'http://127.0.0.1:1';
const HOUR_MS = 3_600_000;
const REGISTERED: Result = { kind: 'registered', code: 'C', registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
const authority: Authority = { ...(sandboxAuthority(ORIGIN) as Authority), read: () => REGISTERED };

test('what a clock that was an hour ahead has had wait is tried once it is set back, although no authority has refused its time', async () => {
  let aheadMs = HOUR_MS;
  let isAway = true;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const http: Http = async () => {
    if (isAway) throw new NotSent('nothing listens');
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  };
  const system = new FiscalSystem({ simulatorUrl: ORIGIN, authorities: new Map([[authority.id, authority]]), http, clock });
  const { document_id } = await system.submit();
  const dueAt = async (): Promise<number> => (await system.row(document_id))?.due_at ?? 0;
  const attempts = async (): Promise<number> => (await system.attempts(document_id)).length;
  // Later ones wait for 0.3 s.
  await until(async () => (await attempts()) >= 5);
  expect(await dueAt()).toBeGreaterThan(systemClock.now() + HOUR_MS / 2);
  isAway = false;
  aheadMs = 0;
  await system.until(document_id, 'registered');
  await system.close();
});
