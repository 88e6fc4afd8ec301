import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@svc/kernel/testing/free-port';
import { type AttackFixture, openAttack, PROFESSIONAL } from './testing/fixture.ts';

const FLOOD_MS = 25_000;
/** Bytes a second of all floods together. */
const RATE = 8_000_000;
/** After which answers are sent that were held back. */
const HELD_MS = 3_000;
const ENDPOINTS = 20;
const EVENTS = 20;
const FOR_MS = 30_000;
const DONE = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const FIELD = 'a:b\r\n';
const EARLY = `HTTP/1.1 103 Early Hints\r\n${FIELD.repeat(250)}\r\n`;

let fixture: AttackFixture;
let server: Server;
let posts: number;
const sockets = new Set<Socket>();
afterEach(async () => {
  await fixture?.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a system whose webhooks may go to a receiver that answers as `answer` does. Returns its origin. */
async function open(answer: (socket: Socket) => void): Promise<string> {
  posts = 0;
  server = createServer((socket) => {
    let text = '';
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0 || text.length < end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1])) return;
      text = '';
      posts += 1;
      answer(socket);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${port}`;
  fixture = await openAttack({ env: { WEBHOOKS_ALLOW: origin } });
  return origin;
}

/** Events of so many accounts, for all endpoints of each. */
async function attack(accounts: number, origin: string): Promise<void> {
  const attackers = await fixture.attackers(accounts, PROFESSIONAL);
  for (const { call } of attackers)
    for (let n = 0; n < ENDPOINTS; n += 1)
      expect((await call('POST', '/webhooks', { body: { url: `${origin}/${n}`, events: ['*'] } })).status).toBe(201);
  await fixture.during(async () => {
    const made = attackers.flatMap(({ call }) =>
      Array.from({ length: EVENTS }, (_, n) => call('POST', '/customers', { body: { name: `Customer ${n}` } })),
    );
    expect(new Set((await Promise.all(made)).map(({ status }) => status))).toEqual(new Set([201]));
    await sleep(FOR_MS);
  });
  console.log(JSON.stringify({ posts }));
}

test('a receiver that answers with endless informational responses delays no other account', async () => {
  const piece = Buffer.from('HTTP/1.1 103 A\r\n\r\n'.repeat(3_600));
  let allowed = 0;
  const refill = setInterval(() => (allowed = Math.min(RATE / 4, allowed + RATE / 50)), 20);
  const origin = await open((socket) => {
    const until = Date.now() + FLOOD_MS;
    const flood = (): void => {
      if (socket.destroyed) return;
      if (Date.now() > until) return void socket.write(DONE);
      if (allowed < piece.length) return void setTimeout(flood, 20);
      allowed -= piece.length;
      if (socket.write(piece)) setImmediate(flood);
      else socket.once('drain', flood);
    };
    flood();
  });
  await attack(1, origin).finally(() => clearInterval(refill));
  expect(posts).toBeGreaterThan(ENDPOINTS);
});

test.each([
  ['as many informational responses as are read', EARLY.repeat(32) + DONE],
  ['a head that does not end', `HTTP/1.1 200 OK\r\n${FIELD.repeat(8_000)}`],
  ['a body as long as is read', `HTTP/1.1 200 OK\r\ncontent-length: 65536\r\n\r\n${'x'.repeat(65_536)}`],
])('receivers of ten accounts that all answer at one time, with %s, delay no other account', async (_, text) => {
  let held: Socket[] = [];
  const whole = Buffer.from(text);
  const release = setInterval(() => {
    for (const socket of held) socket.write(whole);
    held = [];
  }, HELD_MS);
  const origin = await open((socket) => void held.push(socket));
  await attack(10, origin).finally(() => clearInterval(release));
  expect(posts).toBeGreaterThan(10 * ENDPOINTS);
});
