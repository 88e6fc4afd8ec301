import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { FakeClock, systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createLingeringClose, usualLingeringLimits } from '../boot/lingering-close.ts';
import { drainHttp } from './drain-http.ts';

const lingering = createLingeringClose(usualLingeringLimits, systemClock);
let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer({ keepAliveTimeout: 72_000 }, (_request, response) => setImmediate(() => response.end('done')));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The status of one request, or its error code. */
const ask = (agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    request({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });

/** A connection, and the raw text that it receives. */
function open() {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(got)));
  const receives = async (text: string): Promise<string> => {
    await until(() => got.includes(text));
    return got;
  };
  return { isOpen: () => !socket.closed, send: () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), ended, receives };
}

describe('draining', () => {
  test('under load cuts no request on a kept-alive connection: requests are answered, or refused where they would open a connection', async () => {
    const outcomes = new Map<string, number>();
    let drained = false;
    const client = async (_: unknown, n: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let outcome = ''; !drained || outcome === '200';) {
        outcome = await ask(agent);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await systemClock.sleep(Math.random() * (n < 10 ? 20 : 1_500));
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await systemClock.sleep(300);
    const before = outcomes.get('200') ?? 0;
    await drainHttp({ server, lingering }, systemClock);
    drained = true;
    await Promise.all(clients);
    expect(outcomes.get('200')).toBeGreaterThan(before);
    expect([...outcomes.keys()].filter((outcome) => outcome !== '200' && outcome !== 'ECONNREFUSED')).toEqual([]);
    expect(outcomes.get('ECONNREFUSED')).toBeGreaterThan(0);
  });

  test('an idle connection accepts one more request, whose response closes it', async () => {
    const [first, second] = [open(), open()];
    first.send();
    second.send();
    expect(await first.receives('done')).toContain('Connection: keep-alive');
    await second.receives('done');
    const drained = drainHttp({ server, lingering }, systemClock);
    await systemClock.sleep(500);
    first.send();
    expect(await first.ended).toMatch(/Connection: close[\s\S]*done$/);
    second.send();
    await Promise.all([second.ended, drained]); // at once: no connection is left
  });

  test('accepts new connections during the linger, for one response each', async () => {
    const clock = new FakeClock();
    const drained = drainHttp({ server, lingering }, clock, 300);
    await clock.advance(200);
    const late = open();
    late.send();
    expect(await late.ended).toMatch(/Connection: close[\s\S]*done$/);
    await clock.advance(100);
    await drained;
    expect(await ask(new Agent())).toBe('ECONNREFUSED');
  });

  test('idle connections are closed after five seconds, and hanging requests do not delay the end', async () => {
    const clock = new FakeClock();
    server.removeAllListeners('request');
    const hangs = Promise.withResolvers<void>();
    server.on('request', (asked, response) => (asked.url === '/' ? void response.end('done') : hangs.resolve()));
    const idle = open();
    idle.send();
    await idle.receives('done');
    const hanging = connect(port, '127.0.0.1', () => hanging.write('GET /hangs HTTP/1.1\r\nHost: x\r\n\r\n'));
    hanging.on('error', () => undefined);
    await hangs.promise;
    let over = false;
    const drained = drainHttp({ server, lingering }, clock).then(() => (over = true));
    await clock.advance(4_900);
    expect(idle.isOpen()).toBe(true);
    await clock.advance(200);
    await idle.ended;
    expect(over).toBe(false);
    await clock.advance(13_000);
    await drained;
  });

  test('connections that are read on after an early response are cut', async () => {
    const close = createLingeringClose({ ...usualLingeringLimits, silentMs: 60_000, longestMs: 60_000 }, systemClock);
    const early = createServer({ ServerResponse: close.ServerResponse }, (_request, response) => response.end('early'));
    await once(early.listen(0, '127.0.0.1'), 'listening');
    const sending = connect({ port: (early.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    sending.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
    await once(sending, 'data');
    await drainHttp({ server: early, lingering: close }, new FakeClock());
    sending.destroy();
  });

  test('a server that does not listen is drained at once', async () => {
    const other = createServer();
    await drainHttp({ server: other, lingering }, systemClock);
  });
});
