import { DomainError } from '@svc/kernel';
import { createLogger } from '../logging/logger.ts';
import { Counter, Gauge, register } from '../telemetry/metrics.ts';
import { Health } from './health.ts';
import { currentRelease, releaseText } from '../release.ts';
import { startOps, type Ops } from './ops.ts';

const health = new Health();
afterEach(() => {
  for (const name of ['svc_test_total', 'svc_test_away', 'svc_test_hanging']) register.removeSingleMetric(name);
});

let ops: Ops;
const get = async (path: string, init?: RequestInit) => {
  const answer = await fetch(`http://127.0.0.1:${ops.port}${path}`, init);
  return { status: answer.status, text: await answer.text() };
};

beforeAll(async () => {
  ops = await startOps({
    host: '127.0.0.1',
    port: 0,
    health,
    logger: createLogger({ level: 'silent', service: 'test' }),
    async admin(fastify) {
      fastify.post('/admin/echo', async (request) => request.body);
      fastify.get('/admin/refused', async () => {
        throw new DomainError('validation_error', 'No.', { name: ['Too long.'] });
      });
      fastify.get('/admin/broken', async () => {
        throw new Error('hunter2');
      });
    },
  });
});
afterAll(() => ops.close());

describe("the operators' port", () => {
  test('reports liveness and readiness with reasons', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200 });
    expect(await get('/readyz')).toMatchObject({ status: 200 });
    health.register('lists', () => 'catching up');
    const { status, text } = await get('/readyz');
    expect([status, JSON.parse(text)]).toEqual([503, { status: 'unavailable', checks: { lists: 'catching up' } }]);
    expect(await get('/healthz')).toMatchObject({ status: 200 });
  });

  test('says which release runs: in each answer, in /healthz and in a metric', async () => {
    const { version, commit } = currentRelease();
    const answer = await fetch(`http://127.0.0.1:${ops.port}/healthz`);
    expect([answer.headers.get('svc-version'), await answer.json()]).toEqual([
      releaseText({ version, commit }),
      expect.objectContaining({ version, commit }),
    ]);
    expect((await fetch(`http://127.0.0.1:${ops.port}/no/path`)).headers.get('svc-version')).toBe(releaseText({ version, commit }));
    expect((await get('/metrics')).text).toContain(`svc_build_info{version="${version}",commit="${commit}"} 1`);
  });

  test('exports the metrics of the process and of its parts', async () => {
    new Counter({ name: 'svc_test_total', help: 'x' }).inc(3);
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(/^svc_test_total 3$/m);
    expect(text).toContain('process_resident_memory_bytes');
  });

  test('exports the other metrics while some come from servers that are down or hang', async () => {
    new Gauge({ name: 'svc_test_away', help: 'x', collect: () => Promise.reject(new Error('away')) });
    new Gauge({ name: 'svc_test_hanging', help: 'x', collect: () => new Promise(() => undefined) });
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toMatch(/^svc_test_(away|hanging)/m);
    expect((await get('/metrics')).text).toMatch(/^svc_metrics_unread_total\{metric="svc_test_away"\} [12]$/m);
  });

  test('serves added routes, with errors as on the public port', async () => {
    const echo = await get('/admin/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":" b "}' });
    expect(echo).toEqual({ status: 200, text: '{"a":"b"}' });
    expect(await get('/admin/echo', { method: 'POST' })).toEqual({ status: 200, text: '{}' });
    const refused = await get('/admin/refused');
    expect([refused.status, JSON.parse(refused.text).error.details]).toEqual([422, { name: ['Too long.'] }]);
    const broken = await get('/admin/broken');
    expect([broken.status, broken.text.includes('hunter2')]).toEqual([500, false]);
    expect((await get('/nothing')).status).toBe(404);
  });

  test('serves routes that are added later', async () => {
    const late = await startOps({ host: '127.0.0.1', port: 0, health, logger: createLogger({ level: 'silent', service: 'test' }) });
    const post = () => fetch(`http://127.0.0.1:${late.port}/late`, { method: 'POST', body: '{"a":1}', headers });
    const headers = { 'content-type': 'application/json' };
    expect((await post()).status).toBe(404);
    await late.serve(async (fastify) => void fastify.post('/late', async (request) => request.body));
    expect(await (await post()).json()).toEqual({ a: 1 });
    expect((await fetch(`http://127.0.0.1:${late.port}/healthz`)).status).toBe(200);
    await late.close();
  });
});
