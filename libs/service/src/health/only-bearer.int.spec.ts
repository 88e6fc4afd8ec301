import { request } from 'node:http';
import { FakeClock } from '@svc/kernel';
import { createLogger } from '../logging/logger.ts';
import { Health } from './health.ts';
import { onlyBearer } from './only-bearer.ts';
import { startOps, type AddRoutes, type Ops } from './ops.ts';

const [ADMIN, OPS, ANA, BEN] = ['admin', 'ops', 'ana', 'ben'].map((name) => `${name}-token-of-more-than-32-characters`) as [
  string,
  string,
  string,
  string,
];
const clock = new FakeClock(Date.parse('2027-01-31T23:59:59.999Z'));
const named = [
  { name: 'ana', token: ANA, until: undefined },
  { name: 'ben', token: BEN, until: '2027-01-31' },
];
const routes =
  (path: string, hook: ReturnType<typeof onlyBearer>): AddRoutes =>
  async (ops) => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', hook);
        admin.get('/', async ({ operator }) => ({ operator: operator ?? null }));
      },
      { prefix: path },
    );
  };

let ops: Ops;
beforeEach(async () => {
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger: createLogger({ level: 'silent', service: 'test' }) });
  await ops.serve(routes('/admin', onlyBearer('ADMIN_TOKEN', ADMIN, named, clock)), routes('/admin/letters', onlyBearer('OPS_TOKEN', OPS)));
});
afterEach(() => ops.close());

/** `from`: the address on loopback that sends. */
function get(path: string, token?: string, from = '127.0.0.1') {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise<{ status: number; retryAfter: string | undefined; body: unknown }>((resolve, reject) => {
    request({ host: '127.0.0.1', port: ops.port, path, headers, localAddress: from }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body: JSON.parse(text) as unknown }),
      );
    })
      .on('error', reject)
      .end();
  });
}
const statusOf = async (...args: Parameters<typeof get>): Promise<number> => (await get(...args)).status;

test('accepts the token of the setting and those of single operators, whose name the routes get', async () => {
  expect(await get('/admin', ADMIN)).toMatchObject({ status: 200, body: { operator: null } });
  expect(await get('/admin', ANA)).toMatchObject({ status: 200, body: { operator: 'ana' } });
  for (const token of [OPS, `${ANA}x`, ANA.slice(1), 'x', undefined]) expect(await statusOf('/admin', token)).toBe(401);
  expect(await statusOf('/admin/letters', ANA)).toBe(401);
});

test('a token is valid until the end of its last day, and a refused one names neither itself nor others', async () => {
  expect(await statusOf('/admin', BEN)).toBe(200);
  await clock.advance(1);
  const { status, body } = await get('/admin', BEN);
  expect([status, JSON.stringify(body)]).toEqual([401, expect.stringContaining('until 2027-01-31')]);
  expect(JSON.stringify(body)).not.toMatch(/more-than-32/);
});

test('ten wrong tokens of an address, to any of the routes, get 401; then every token gets 429, and other addresses are not affected', async () => {
  const wrong = await Promise.all(Array.from({ length: 14 }, (_, n) => statusOf(n % 2 === 0 ? '/admin' : '/admin/letters', `guess-${n}`)));
  expect(wrong.sort()).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)]);
  for (const [path, token] of [
    ['/admin', ADMIN],
    ['/admin', ANA],
    ['/admin/letters', OPS],
  ] as const) {
    const { status, retryAfter, body } = await get(path, token);
    expect([status, body]).toEqual([429, { error: expect.objectContaining({ code: 'rate_limit_exceeded' }) }]);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(await statusOf(path, token, '127.0.0.2')).toBe(200);
  }
  expect(await statusOf('/healthz')).toBe(200);
});

test('neither requests without a token nor right ones count', async () => {
  for (let n = 0; n < 20; n += 1) expect([await statusOf('/admin'), await statusOf('/admin', ADMIN)]).toEqual([401, 200]);
});
