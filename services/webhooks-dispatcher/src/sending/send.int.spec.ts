import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { FakeClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { problemOfUrl } from './check-url.ts';
import { sharedResolve, type Lookup } from './resolve.ts';
import { createSend, type Answered } from './send.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A subscriber on loopback. `calls` are the requested paths, `connections` counts its sockets. */
async function subscriber(answer: RequestListener) {
  const seen = { calls: [] as string[], connections: 0 };
  const server: Server = createServer((request, response) => {
    seen.calls.push(request.url ?? '');
    answer(request, response);
  });
  server.on('connection', () => (seen.connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { seen, port, origin: `http://127.0.0.1:${port}` };
}

function sender({ allowed = [], lookup = async () => [] }: { allowed?: string[]; lookup?: Lookup }) {
  const clock = new FakeClock();
  const resolve = sharedResolve(lookup, clock);
  const outgoing = createSend({ clock, resolve, allowed: new Set(allowed) });
  closing.push(() => outgoing.close());
  const post = (url: string, signal?: AbortSignal, account = 'acct_1'): Promise<Answered> =>
    outgoing.send({ account, url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') }, signal);
  return { clock, resolve, post };
}

describe('a response', () => {
  test('is returned as it is, after the exact bytes were sent', async () => {
    let got = '';
    const { origin, seen } = await subscriber((request, response) => {
      request.on('data', (chunk: Buffer) => (got += chunk.toString()));
      request.on('end', () => response.writeHead(429, { 'retry-after': '120' }).end('slow down'));
    });
    const { post } = sender({ allowed: [origin] });
    expect(await post(`${origin}/hook?x=1`)).toMatchObject({
      status: 429,
      body: 'slow down',
      retryAfter: '120',
      phases: { resolve: null, connect: 0, tls: null, wait: 0, body: 0 },
    });
    expect([got, seen.calls]).toEqual(['{"a":1}', ['/hook?x=1']]);
  });

  test('that redirects is not followed', async () => {
    const { origin, seen } = await subscriber((_, response) => response.writeHead(307, { location: '/other' }).end());
    const { post } = sender({ allowed: [origin] });
    expect(await post(`${origin}/hook`)).toMatchObject({ status: 307, location: '/other' });
    expect(seen.calls).toEqual(['/hook']);
  });

  test('without end is cut off, and its first KiB returned', async () => {
    const cut = Promise.withResolvers<void>();
    const { origin } = await subscriber((_, response) => {
      response.on('close', () => cut.resolve());
      const fill = (): void => {
        while (!response.destroyed && response.write('x'.repeat(4_096)));
      };
      response.writeHead(200).on('drain', fill);
      fill();
    });
    const { post } = sender({ allowed: [origin] });
    expect(await post(origin)).toMatchObject({ status: 200, body: 'x'.repeat(1_024), retryAfter: undefined });
    await cut.promise;
  });

  test.each([
    ['that does not come', (): void => undefined],
    ['that does not end', (_, response) => void response.writeHead(200).write('x')],
  ] as [string, RequestListener][])('%s is given up after 30 seconds', async (_, answer) => {
    const { origin, seen } = await subscriber(answer);
    const { clock, post } = sender({ allowed: [origin] });
    let answered: Answered | undefined;
    const sent = post(origin).then((its) => (answered = its));
    await until(() => seen.calls.length === 1);
    await clock.advance(29_999);
    expect(answered).toBeUndefined();
    await clock.advance(1);
    expect(await sent).toMatchObject({ status: null, error: expect.stringMatching('^no complete answer within 30 seconds: ') });
    expect(Object.values((await sent).phases)).toContain(30_000);
  });

  test('is not awaited after the sender cancels', async () => {
    const { origin, seen } = await subscriber(() => undefined);
    const { post } = sender({ allowed: [origin] });
    const stop = new AbortController();
    const sent = [post(origin, stop.signal), post(origin, stop.signal)];
    await until(() => seen.calls.length === 2);
    stop.abort();
    const brokenOff = expect.objectContaining({ status: null, error: 'broken off by the sender' });
    expect(await Promise.all([...sent, post(origin, stop.signal)])).toEqual([brokenOff, brokenOff, brokenOff]);
    expect(seen.calls).toHaveLength(2);
  });

  test.each([
    ['reset', 'resetAndDestroy'],
    ['closed', 'destroy'],
  ] as const)('that is missing because the connection was %s is reported without addresses', async (_, end) => {
    const { origin } = await subscriber((request) => void request.socket[end]());
    const { post } = sender({ allowed: [origin] });
    const answered = await post(origin);
    expect(answered).toMatchObject({ status: null, error: 'the connection was closed before the answer was complete' });
  });

  test('that is not HTTP is reported as that', async () => {
    const server = createTcpServer((socket) => void socket.resume().end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { post } = sender({ allowed: [origin] });
    expect(await post(origin)).toMatchObject({ status: null, error: 'the answer is not HTTP' });
  });

  test('has the phases of its own connection, also where others are made meanwhile', async () => {
    let answerFirst = (): void => undefined;
    const { origin, seen } = await subscriber((request, response) => {
      if (request.url === '/first') answerFirst = () => void response.end();
      else response.end();
    });
    const { clock, post } = sender({ allowed: [origin] });
    const first = post(`${origin}/first`);
    await until(() => seen.calls.length === 1);
    await clock.advance(20_000);
    await post(`${origin}/second`);
    expect(seen.connections).toBe(2);
    answerFirst();
    expect((await first).phases).toEqual({ resolve: null, connect: 0, tls: null, wait: 20_000, body: 0 });
  });
});

describe('an address that is not public', () => {
  test('behind a name that was public at the endpoint’s creation is not connected to', async () => {
    const { port, seen } = await subscriber((_, response) => response.end());
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1'], []];
    const { post, resolve, clock } = sender({ lookup: async () => answers.shift() ?? [] });
    const url = `https://shop.example:${port}/hook`;
    expect(await problemOfUrl(url, new Set(), resolve)).toBeUndefined();
    for (let n = 0; n < 4; n += 1) {
      await clock.advance(5_000); // The answer is reused for 5 s.
      expect(await post(url)).toMatchObject({ status: null, error: 'shop.example resolves to an address that is not public' });
    }
    expect(seen.connections).toBe(0);
  });

  test.each(['https://127.0.0.1', 'https://[::1]', 'https://127.1', 'https://localhost', 'https://app.localhost.'])(
    '%s is not connected to and not resolved',
    async (origin) => {
      const { port, seen } = await subscriber((_, response) => response.end());
      let asked = 0;
      const { post } = sender({ lookup: async () => [`8.8.8.${(asked += 1)}`] });
      expect(await post(`${origin}:${port}/hook`)).toMatchObject({
        status: null,
        error: expect.stringContaining('is not a public address'),
      });
      expect([asked, seen.connections]).toEqual([0, 0]);
    },
  );

  test('is called when exactly its origin is allowed, and no other port of it', async () => {
    const [mine, other] = [await subscriber((_, response) => response.end()), await subscriber((_, response) => response.end())];
    const { post } = sender({ allowed: [mine.origin] });
    expect([(await post(mine.origin)).status, (await post(other.origin)).status]).toEqual([200, null]);
    expect(other.seen.connections).toBe(0);
  });
});

test('gives up a connection without a TLS handshake after 30 seconds', async () => {
  const silent = createTcpServer(() => undefined); // Accepts connections and never answers the TLS handshake.
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const sockets: Socket[] = [];
  silent.on('connection', (socket) => sockets.push(socket));
  closing.push(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => silent.close(resolve));
  });
  const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { clock, post } = sender({ allowed: [origin] });
  let answered: Answered | undefined;
  void post(origin).then((its) => (answered = its));
  await until(() => sockets.length === 1);
  await clock.advance(29_999);
  expect(answered).toBeUndefined();
  await clock.advance(1);
  expect(answered).toMatchObject({ status: null, error: 'no complete answer within 30 seconds: TLS was not agreed on' });
});

test('does not let unanswered requests of one account block connections of another to the same origin, or further ones of its own', async () => {
  const { origin, seen } = await subscriber((request, response) => void (request.url === '/quick' && response.end()));
  const { clock, post } = sender({ allowed: [origin] });
  const hanging = Array.from({ length: 200 }, () => post(`${origin}/hangs`, undefined, 'acct_slow'));
  await until(() => seen.calls.length === 200);
  expect(await post(`${origin}/quick`, undefined, 'acct_quick')).toMatchObject({ status: 200 });
  expect(await post(`${origin}/quick`, undefined, 'acct_slow')).toMatchObject({ status: 200 });
  await clock.advance(30_000);
  expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([null]));
});

test('accepts a name that does not answer after 2 seconds at creation, and fails an attempt after 10', async () => {
  const { clock, post, resolve } = sender({ lookup: () => new Promise(() => undefined) });
  const url = 'https://hangs.example/hook';
  const problem = problemOfUrl(url, new Set(), resolve);
  await clock.advance(2_000);
  expect(await problem).toBeUndefined();
  const sent = post(url);
  await clock.advance(10_000);
  expect(await sent).toMatchObject({
    ...{ status: null, error: 'the name hangs.example was not found in time: its name servers do not answer' },
    phases: { resolve: 10_000, connect: null },
  });
});
