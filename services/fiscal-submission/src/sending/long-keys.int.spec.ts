import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { FakeClock } from '@svc/kernel';
import { certified } from '../xml/testing/certificates.ts';
import { NoTurn, outgoingHttp } from './http.ts';
import { createLongKeyTurns, isLong } from './long-keys.ts';

const signal = (): AbortSignal => new AbortController().signal;
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const client = (bits: number) => {
  const { key, pem: certificate } = certified({ name: 'Issuer', bits });
  return { account: 'a', key: pem(key), certificate };
};

test('ordinary keys wait for nothing', () => {
  expect([2_048, 4_096, 4_224].map((bits) => isLong(client(bits)))).toEqual([false, false, true]);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  expect(isLong({ account: 'a', key: pem(privateKey), certificate: '' })).toBe(false);
});

test('one call in 300 ms, of accounts in turn', async () => {
  const clock = new FakeClock();
  const turns = createLongKeyTurns(clock);
  const order: string[] = [];
  const call = (account: string): Promise<unknown> => turns.of(account, signal()).then((has) => order.push(`${account} ${has}`));
  for (let n = 0; n < 10; n += 1) for (const account of ['a', 'b', 'c']) void call(account);
  await clock.advance(3_000);
  expect(order.length).toBe(11);
  void call('victim');
  await clock.advance(900);
  expect(order.length).toBe(14);
  expect(order).toContain('victim true');
});

test('who waits until its deadline has no turn, and one account does not fill the queue', async () => {
  const clock = new FakeClock();
  const turns = createLongKeyTurns(clock);
  const late = new AbortController();
  expect(await turns.of('a', signal())).toBe(true);
  const waiting = Array.from({ length: 300 }, () => turns.of('a', late.signal));
  const other = turns.of('b', signal());
  late.abort();
  expect(await Promise.all(waiting)).not.toContain(true);
  await clock.advance(300);
  expect(await other).toBe(true);
  turns.close();
  expect(clock.nextAt()).toBeUndefined();
});

describe('calls', () => {
  const authority = certified({ name: 'localhost', host: 'localhost', isAuthority: true });
  const connections = { count: 0 };
  let server: Server;
  beforeAll(async () => {
    server = createServer({ key: pem(authority.key), cert: authority.pem }, (_, response) => response.end()).listen(0, 'localhost');
    server.on('connection', () => (connections.count += 1));
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each([
    ['a long key take turns', 4_224, 1],
    ['an ordinary key do not', 2_048, 3],
  ])('with %s', async (_what, bits, made) => {
    connections.count = 0;
    const clock = new FakeClock();
    const { http, close } = outgoingHttp(clock);
    const tls = { anchors: [authority.pem], client: client(bits) };
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const calls = Array.from({ length: 3 }, () =>
      http({ method: 'GET', url, headers: {}, tls, deadlineMs: 200 }).then(
        ({ status }) => status,
        (error: unknown) => error instanceof NoTurn,
      ),
    );
    expect(await calls[0]).toBe(200);
    if (made === 1) await clock.advance(200);
    const others = made === 1 ? true : 200;
    expect(await Promise.all(calls)).toEqual([200, others, others]);
    expect(connections.count).toBe(made);
    await close();
  });
});
