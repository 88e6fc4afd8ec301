import { type Answer, EdgeApp, ways } from '../testing/edge-app.ts';

describe.each(ways)('%s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  afterAll(() => edge.stop());

  /** The one log line with a response's request id. */
  const lineOf = ({ headers }: Answer): Record<string, unknown> => {
    const lines = edge.log.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === headers['x-request-id']);
    expect([headers['x-request-id'], lines.length]).toEqual([expect.stringMatching(/^req_/), 1]);
    return lines[0];
  };

  test('an error of the edge, of a service and a replayed one have a line with route, code, account and trace', async () => {
    const { id, call } = await edge.account();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const headers = { 'x-request-id': 'order 7', traceparent };
    const unknown = await call('GET', '/v1/nothing?email=zz@kestrelwood.example', { headers });
    expect(lineOf(unknown)).toMatchObject({
      ...{ level: 30, route: 'unknown', method: 'GET', status: 404, code: 'not_found', account: id, env: 'test' },
      ...{ client_request_id: 'order 7', trace_id: 'a'.repeat(32) },
    });
    const once = { body: { name: 7 }, headers: { 'idempotency-key': 'once' } };
    for (const answer of [await call('POST', '/v1/customers', once), await call('POST', '/v1/customers', once)])
      expect(lineOf(answer)).toMatchObject({
        route: 'POST /customers',
        status: 422,
        code: 'validation_error',
        account: id,
        fields: ['name'],
      });
    const wrong = await call('POST', '/v1/customers', { body: { name: 'Ann', emial: 'zz@kestrelwood.example' } });
    expect(lineOf(wrong)).toMatchObject({ status: 422, fields: ['emial'] });
    expect(lineOf(await call('GET', '/v1/customers?emial=zz@kestrelwood.example'))).toMatchObject({ status: 400, fields: ['emial'] });
    expect(lineOf(unknown)).not.toHaveProperty('fields');
    expect(edge.log.join()).not.toMatch(/kestrelwood|svc_test_/);
  });

  test('requests without a key, malformed ones and pages have a line too, never with an address', async () => {
    const from = '127.77.1.9';
    const nobody = edge.caller();
    expect(lineOf(await nobody('GET', '/v1/account', { from }))).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(lineOf(await nobody('GET', '/v1/%zz', { from }))).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(lineOf(await nobody('GET', '/nothing', { from }))).toMatchObject({ status: 404, code: 'not_found' });
    expect(lineOf(await nobody('GET', '/docs', { from, headers: { host: 'a/b' } }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    expect(edge.log.join()).not.toContain('127.77.');
  });

  test('the lines of one caller are limited, without an effect on those of others', async () => {
    const [loud, quiet] = [await edge.account(), await edge.account()];
    const before = edge.log.length;
    for (let n = 0; n < 300; n += 1) await loud.call('GET', '/v1/nothing');
    const lines = edge.log.slice(before).filter((line) => line.includes(loud.id));
    expect([lines.length >= 100, lines.length < 150]).toEqual([true, true]);
    expect(lineOf(await quiet.call('GET', '/v1/nothing'))).toMatchObject({ account: quiet.id });
  });
});

test('the number of suppressed lines is logged at the end of the process at the latest', async () => {
  const edge = await EdgeApp.start();
  const { id, call } = await edge.account();
  for (let n = 0; n < 200; n += 1) await call('GET', '/v1/nothing');
  await edge.stop();
  const reported = edge.log.map((line) => JSON.parse(line)).filter(({ msg }) => /more refused requests suppressed/.test(msg));
  expect(reported).toEqual([expect.objectContaining({ account: id, msg: `${reported[0]?.count} more refused requests suppressed` })]);
  expect([reported[0].count > 50, reported[0].count <= 100]).toEqual([true, true]);
});
