import { get, type IncomingMessage, request as httpRequest } from 'node:http';
import { until } from '@svc/kernel/testing/until';
import { code } from '../testing/call.ts';
import type { GatewayApp } from '../testing/gateway-app.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';
import { made, type Work } from '../testing/stub-service.ts';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const MIB = 1024 * 1024;
const newWork = (run: Work['run'] = made): Work => ({ commands: [], run });
const open = ({ port }: GatewayApp, key: string, path = '/v1/customers'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${key}` }, agent: false }, resolve).on('error', reject);
  });

describe('a large response', () => {
  test.each([
    ['of a known length', `content-length: ${4 * MIB}\r\n\r\n`, (text: string) => text],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n', (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`],
  ])('%s arrives while it is being made', async (_how, head, piece) => {
    let rest: (() => void) | undefined;
    const upstream = await system.raw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}`);
      socket.write(piece('a'.repeat(2 * MIB)));
      rest = () => void socket.write(piece('b'.repeat(2 * MIB)) + (head.includes('chunked') ? '0\r\n\r\n' : ''));
    });
    const gateway = await system.gateway([upstream.origin]);
    const response = await open(gateway, (await gateway.account()).testKey);
    let length = 0;
    response.on('data', (chunk: Buffer) => (length += chunk.length));
    await until(() => length === 2 * MIB);
    rest?.();
    await new Promise((resolve) => response.on('end', resolve));
    expect(length).toBe(4 * MIB);
  });

  test('that breaks off breaks off for the caller too', async () => {
    let breakOff: (() => void) | undefined;
    const upstream = await system.raw((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n100000\r\n${'a'.repeat(MIB)}\r\n`,
      );
      breakOff = () => void socket.destroy();
    });
    const gateway = await system.gateway([upstream.origin]);
    const response = await open(gateway, (await gateway.account()).testKey);
    const ended = await new Promise<string>((resolve) => {
      response
        .once('data', () => breakOff?.())
        .on('end', () => resolve('whole'))
        .on('error', () => resolve('cut'));
    });
    expect([ended, upstream.requests.length]).toEqual(['cut', 1]);
  });

  test.each([
    ['a file that rests while its next lines are read arrives whole', '/files/reporting.a', 'whole'],
    ['any other answer that rests is cut', '/v1/customers', 'cut'],
  ])('%s', async (_what, path, expected) => {
    const upstream = await system.raw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ncontent-length: ${2 * MIB + 1}\r\n\r\n${'a'.repeat(2 * MIB)}`);
      setTimeout(() => socket.write('b'), 2_500);
    });
    const gateway = await system.gateway([upstream.origin], { body: 500 });
    const response = await open(gateway, (await gateway.account()).testKey, path);
    const ended = await new Promise<string>((resolve) => {
      response
        .resume()
        .on('end', () => resolve('whole'))
        .on('error', () => resolve('cut'));
    });
    expect(ended).toBe(expected);
  });

  test('that the caller does not read is not read from the upstream either', async () => {
    let gone = false;
    let unread = (): number => 0;
    const upstream = await system.raw((socket) => {
      unread = () => socket.writableLength;
      socket.on('close', () => (gone = true));
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${64 * MIB}\r\n\r\n`);
      socket.write('a'.repeat(32 * MIB));
    });
    const gateway = await system.gateway([upstream.origin]);
    const response = await open(gateway, (await gateway.account()).testKey);
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(unread()).toBeGreaterThan(16 * MIB);
    response.destroy();
    await until(() => gone);
  });

  test('under an Idempotency-Key is stored and replayed byte for byte', async () => {
    const name = 'x'.repeat(300_000);
    const work = newWork(async (request) => ({ ...(await made(request)), name }));
    const { call } = await (await system.gateway([(await system.stub(work)).origin])).account();
    const sent = { body: { name: 'Ana' }, headers: { 'idempotency-key': 'big' } };
    const [first, again] = [await call('POST', '/v1/customers', sent), await call('POST', '/v1/customers', sent)];
    expect([first.status, again.headers['idempotent-replayed'], again.text === first.text]).toEqual([201, 'true', true]);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect(work.commands).toHaveLength(1);
  });
});

describe('a caller who disconnects', () => {
  test('aborts a read', async () => {
    let gone = false;
    const upstream = await system.raw((socket) => void socket.on('close', () => (gone = true)));
    const gateway = await system.gateway([upstream.origin]);
    const { testKey } = await gateway.account();
    const request = get({ host: '127.0.0.1', port: gateway.port, path: '/v1/customers', headers: { authorization: `Bearer ${testKey}` } });
    request.on('error', () => undefined);
    await until(() => upstream.requests.length === 1);
    request.destroy();
    await until(() => gone);
    expect(upstream.requests).toHaveLength(1);
  });

  test('does not abort a write, whose response is kept for a repeat', async () => {
    let letGo: (() => void) | undefined;
    const work = newWork(async (request) => {
      await new Promise<void>((resolve) => (letGo = resolve));
      return made(request);
    });
    const gateway = await system.gateway([(await system.stub(work)).origin]);
    const { testKey, call } = await gateway.account();
    const headers = { authorization: `Bearer ${testKey}`, 'idempotency-key': 'left', 'content-type': 'application/json' };
    const request = httpRequest({ host: '127.0.0.1', port: gateway.port, path: '/v1/customers', method: 'POST', headers });
    request.on('error', () => undefined).end('{"name":"Ana"}');
    await until(() => letGo !== undefined);
    request.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    letGo?.();
    const sent = { raw: '{"name":"Ana"}', headers: { 'idempotency-key': 'left' } };
    let again = await call('POST', '/v1/customers', sent);
    while (code(again) === '409 idempotency_key_in_use') again = await call('POST', '/v1/customers', sent);
    expect([again.status, again.headers['idempotent-replayed'], work.commands.length]).toEqual([201, 'true', 1]);
  });
});

test('responses of 65 KiB to 8 MiB, and without a body, are unchanged', async () => {
  const bodies = [JSON.stringify('y'.repeat(70 * 1024)), ''];
  const upstream = await system.raw((socket, _request, n) => socket.write(httpAnswer('200 OK', bodies[n - 1] ?? '')));
  const { call } = await (await system.gateway([upstream.origin])).account();
  for (const text of bodies) expect((await call('GET', '/v1/customers')).text).toBe(text);
});
