import { FakeClock, iso } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { Ask } from './ask.ts';
import { type Attempt, hoursOf } from './looking-handlers.ts';
import { setupHandler } from './setup-handler.ts';

const FIRST = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;

describe('the hours of an endpoint', () => {
  test('count each attempt in its hour alone, and none before the first', () => {
    const at = (ms: number, status_code: number | null, duration_ms: number): Attempt => ({
      at: iso(FIRST + ms),
      status_code,
      duration_ms,
    });
    const hours = hoursOf(FIRST, 2, [
      at(-1, 200, 1),
      at(0, 200, 10),
      at(HOUR_MS - 1, 500, 30),
      at(HOUR_MS, null, 20),
      at(2 * HOUR_MS, 200, 1),
    ]);
    expect(hours).toEqual([
      { at: iso(FIRST), succeeded: 1, failed: 1, p50: 30, p95: 30 },
      { at: iso(FIRST + HOUR_MS), succeeded: 0, failed: 1, p50: 20, p95: 20 },
    ]);
  });

  test('read each attempt once, whatever the number of hours', () => {
    let reads = 0;
    const attempts = Array.from({ length: 100 }, (_, n) => ({
      ...{ duration_ms: 1, status_code: 200 },
      get at() {
        reads += 1;
        return iso(FIRST + n * 60_000);
      },
    }));
    hoursOf(FIRST, 168, attempts);
    expect(reads).toBe(100);
  });
});

describe('setup', () => {
  const clock = new FakeClock();
  const missing = { field: 'software_code', rule: 'al.software_code', message: 'is missing' };
  const steps = [
    { id: 'issuer', done: false, missing: [missing] },
    { id: 'numbers', done: true, missing: [] },
    { id: 'authority', done: true, missing: [] },
  ];
  const view = {
    ...{ session: { _id: 's', via: null }, member: { _id: 'mem_1', role: 'owner' } },
    account: { _id: 'acct_1', plan: 'free', limits: null },
  };
  const read = (answers: Record<string, { status: number; body: unknown }>) => {
    const ask = (async (_: unknown, path: string) => answers[path] ?? { status: 404, body: {} }) as unknown as Ask;
    const request = { requestContext: { principal: { session: view } } } as unknown as FastifyRequest;
    const handlers = setupHandler({ ask, clock, addressOf: () => '192.0.2.1' });
    return handlers['GET /console/setup'](request as never, {} as never);
  };

  test('has the steps of the issuer as submissions are judged by them, and a certificate that has ended is none', async () => {
    const certificate = { status: 200, body: { expires_at: iso(clock.now() - 1) } };
    const answer = await read({ '/issuer': { status: 200, body: { setup: { ready: false, steps } } }, '/fiscal-credentials': certificate });
    expect(answer.live.steps.slice(0, 3)).toEqual(steps);
    expect(answer.live.steps.map(({ id, done }) => [id, done]).slice(3)).toEqual([
      ['certificate', false],
      ['first_document', false],
    ]);
    expect(answer.live.ready).toBe(false);
  });

  test('is not answered without the issuer', async () => {
    await expect(read({ '/issuer': { status: 404, body: {} } })).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
