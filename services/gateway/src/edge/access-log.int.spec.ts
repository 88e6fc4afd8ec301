import { EdgeApp } from '../testing/edge-app.ts';

interface Line {
  level: number;
  msg: string;
  request_id: string;
  status: number;
}

/** What 40 requests that succeed write into a log of level info, and one that fails. */
async function linesOf(accessLogPercent: number): Promise<Line[]> {
  const edge = await EdgeApp.start({ accessLogPercent });
  try {
    const { call } = await edge.account();
    for (let n = 0; n < 40; n += 1) expect((await call('GET', '/v1/account?')).status).toBe(200);
    expect((await call('GET', '/v1/nothing?email=zz@kestrelwood.example')).status).toBe(404);
    return edge.log.map((line) => JSON.parse(line) as Line);
  } finally {
    await edge.stop();
  }
}
const sampled = (lines: Line[]): Line[] => lines.filter(({ msg }) => msg === 'request');

test('no request that succeeds has a line, unless the log of accesses is on', async () => {
  const lines = await linesOf(0);
  expect(sampled(lines).filter(({ level }) => level >= 30)).toEqual([]);
  expect(lines.filter(({ status }) => status === 404)).toHaveLength(1);
});

test('with 100 each has one, with units, and neither a key nor a query', async () => {
  const lines = sampled(await linesOf(100)).filter(({ status }) => status === 200);
  expect(lines).toHaveLength(40);
  expect(new Set(lines.map(({ request_id }) => request_id)).size).toBe(40);
  expect(lines[0]).toMatchObject({
    ...{ level: 30, request_id: expect.stringMatching(/^req_/), account: expect.stringMatching(/^acct_/), env: 'test' },
    ...{ route: 'GET /account', method: 'GET', status: 200, duration_ms: expect.any(Number), response_bytes: expect.any(Number) },
  });
  expect(JSON.stringify(lines)).not.toMatch(/kestrelwood|svc_test_/);
});

test('with 50 some have one', async () => {
  const { length } = sampled(await linesOf(50)).filter(({ level }) => level === 30);
  expect([length > 0, length < 41]).toEqual([true, true]);
});
