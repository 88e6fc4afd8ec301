import { systemClock, type Clock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import { type Http, NotSent } from '../sending/http.ts';
import { FiscalSystem, restarted, type SystemOptions } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import type { Result } from './domain/facts.ts';

const ORIGIN = 'http://127.0.0.1:1';
const HOUR_MS = 3_600_000;
const REGISTERED: Result = { kind: 'registered', code: 'C', registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
const authority: Authority = { ...(sandboxAuthority(ORIGIN) as Authority), read: () => REGISTERED };

/** A system whose clock is ahead, and whose authority is away, once it has tried five times: it waits for 0.3 s then. */
async function waitingAhead(ms: number) {
  let [aheadMs, isAway] = [ms, true];
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const http: Http = async () => {
    if (isAway) throw new NotSent('nothing listens');
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  };
  const options: SystemOptions = { simulatorUrl: ORIGIN, authorities: new Map([[authority.id, authority]]), http, clock };
  const system = new FiscalSystem(options);
  const { document_id } = await system.submit();
  await until(async () => (await system.attempts(document_id)).length >= 5);
  expect((await system.row(document_id))?.due_at).toBeGreaterThan(systemClock.now() + ms / 2);
  const setRight = (): void => {
    isAway = false;
    aheadMs = 0;
  };
  return { system, options, document_id, setRight };
}

test('what a clock that was an hour ahead has had wait is tried once it is set back, although no authority has refused its time', async () => {
  const { system, document_id, setRight } = await waitingAhead(HOUR_MS);
  setRight();
  await system.until(document_id, 'registered');
  await system.close();
});

test.each([HOUR_MS, 20 * 24 * HOUR_MS])('so it is where the clock was %d ms ahead, and was set back while no process ran', async (ms) => {
  const { system, options, document_id, setRight } = await waitingAhead(ms);
  system.crash();
  setRight();
  const next = restarted(system, options);
  await next.until(document_id, 'registered');
  await next.close();
});
