import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { Answered } from './send.ts';
import { key, ordinary } from './testing/certificates.ts';
import { measuredSender } from './testing/measured-sender.ts';

const known = getCACertificates();
beforeAll(() => setDefaultCACertificates([...known, ordinary]));
afterAll(() => setDefaultCACertificates(known));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Answer {
  begin?: string;
  /** Sent so many times after the beginning. */
  piece?: string;
  times?: number;
  end: string;
}

/** A receiver in a thread of its own that writes these bytes for each request. Its first message is its port, each other a new connection. */
const receiver = `
  const net = require('node:net');
  const tls = require('node:tls');
  const { parentPort, workerData: { begin, piece, times, end, isSecure, cert, key } } = require('node:worker_threads');
  const serve = (socket) => {
    parentPort.postMessage('connection');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (!chunk.toString().endsWith('{"a":1}')) return;
      let n = 0;
      const write = () => {
        for (; n < times; n += 1) if (!socket.write(piece)) return (n += 1), socket.once('drain', write);
        socket.write(end);
      };
      socket.write(begin);
      write();
    });
  };
  const server = isSecure ? tls.createServer({ cert, key }, serve) : net.createServer(serve);
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

async function open({ begin = '', piece = '', times = 0, end }: Answer, scheme = 'http') {
  const workerData = { begin, piece, times, end, isSecure: scheme === 'https', cert: ordinary, key };
  const worker = new Worker(receiver, { eval: true, workerData });
  closing.push(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const seen = { connections: 0 };
  worker.on('message', () => (seen.connections += 1));
  const origin = `${scheme}://127.0.0.1:${port}`;
  const { close, ...sending } = measuredSender(origin);
  closing.push(close);
  return { ...sending, seen };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}content-length: 0\r\n\r\n`;
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const early = (fields: string): string => `HTTP/1.1 103 Early Hints\r\n${fields}\r\n`;
/** An answer with more than this before its end. */
const LONG = 8_000_000;
const long = (piece: string): { piece: string; times: number } => ({ piece, times: Math.ceil(LONG / piece.length) });
const tooLong = { status: null, error: expect.stringContaining('its status did not come') };

describe.each(['http', 'https'])('over %s', (scheme) => {
  test.each([
    ['informational answers', tooLong, { ...long(early('').repeat(1_000)), end: EMPTY }],
    ['informational answers with many fields', tooLong, { ...long(early('a:b\r\n'.repeat(200))), end: EMPTY }],
    ['a reason', tooLong, { begin: 'HTTP/1.1 200 ', ...long('a'.repeat(65_536)), end: EMPTY.slice(9) }],
    ['a chunk’s extensions', { status: 200, body: '' }, { begin: `${CHUNKED}1;`, ...long('a'.repeat(65_536)), end: '\r\nx\r\n0\r\n\r\n' }],
    ['a chunk’s length', { status: 200, body: '' }, { begin: CHUNKED, ...long('0'.repeat(65_536)), end: '\r\n\r\n' }],
    ['chunks of one byte', { status: 200 }, { begin: CHUNKED, ...long('1\r\nx\r\n'.repeat(1_000)), end: '0\r\n\r\n' }],
  ] as [string, object, Answer][])('of endless %s 96 KiB are read', async (_, outcome, answer) => {
    const { measured } = await open(answer, scheme);
    await measured();
    const [answered, ms] = await measured();
    expect(answered).toMatchObject(outcome);
    expect(ms).toBeLessThan(60);
  });

  test.each([
    ['32 informational answers', '', { begin: early('link: </a.css>\r\n').repeat(32), end: EMPTY }],
    ['a head of 15 KiB', '', { end: `${OK}x: ${'a'.repeat(15_000)}\r\ncontent-length: 0\r\n\r\n` }],
    ['a body of 64 KiB', 'x'.repeat(1_024), { begin: `${OK}content-length: 65536\r\n\r\n`, end: 'x'.repeat(65_536) }],
    ['10,000 chunks of one byte', 'x'.repeat(1_024), { begin: CHUNKED, piece: '1\r\nx\r\n', times: 10_000, end: '0\r\n\r\n' }],
  ] as [string, string, Answer][])('%s are read of each answer of a connection', async (_, body, answer) => {
    const { post, seen } = await open(answer, scheme);
    for (let n = 0; n < 20; n += 1) expect(await post()).toMatchObject({ status: 200, body });
    expect(seen.connections).toBeLessThan(3);
  });
});

test.each(['http', 'https'])('over %s a head of more than 256 lines ends the request, and holds no memory before', async (scheme) => {
  const fields = (count: number): string => 'a:b\r\n'.repeat(count);
  const most = await open({ begin: early(fields(200)), end: `${OK}${fields(200)}content-length: 300\r\n\r\n${'\n'.repeat(300)}` }, scheme);
  for (let n = 0; n < 3; n += 1) expect(await most.post()).toMatchObject({ status: 200 });
  const { post } = await open({ begin: OK, end: fields(300) }, scheme);
  expect(await post()).toMatchObject(tooLong);
  const other = await open({ begin: early(fields(300)), end: EMPTY }, scheme);
  expect(await other.post()).toMatchObject(tooLong);
});

test.each(['http', 'https'])('over %s a trailer of more than 256 lines ends the connection', async (scheme) => {
  const chunks = (count: number): string => `2;a\r\nx\n\r\n0\r\n${'a:b\r\n'.repeat(count)}`;
  const most = await open({ begin: CHUNKED, end: `${chunks(200)}\r\n` }, scheme);
  for (let n = 0; n < 10; n += 1) expect(await most.post()).toMatchObject({ status: 200, body: 'x\n' });
  expect(most.seen.connections).toBeLessThan(4);
  const other = await open({ begin: CHUNKED, end: chunks(300) }, scheme);
  for (let n = 0; n < 10; n += 1) await other.post();
  expect(other.seen.connections).toBeGreaterThan(8);
});

test.each(['0x\n', 'add\n', 'a\n\n', '12345678\n', '{\n', '\n'])('a body of 1,000 lines that begins with %j is read', async (begin) => {
  const body = begin + 'y\n'.repeat(1_000);
  const { post, seen } = await open({ begin: `${OK}content-length: ${body.length}\r\n\r\n`, end: body });
  for (let n = 0; n < 10; n += 1) expect(await post()).toMatchObject({ status: 200, body: body.slice(0, 1_024) });
  expect(seen.connections).toBeLessThan(4);
});

test('the 33rd informational answer ends the request', async () => {
  const { post } = await open({ begin: early('').repeat(33), end: EMPTY });
  expect(await post()).toMatchObject(tooLong);
});

test('after answers of more than a second in a minute nothing is sent for the rest of it, to receivers of the account alone', async () => {
  const begin = early('a:b\r\n'.repeat(250)).repeat(31) + CHUNKED;
  const { clock, measured, seen } = await open({ begin, end: `${'1\r\nx\r\n'.repeat(9_300)}0\r\n\r\n` }, 'https');
  await clock.advance(60_000 - (clock.now() % 60_000));
  const tooCostly = { status: null, error: expect.stringContaining('took too much time in this minute') };
  let [spent, made] = [0, 0];
  for (let answered: Answered | undefined; made < 8_000 && answered?.status !== null; made += 1) {
    const [its, ms] = await measured();
    answered = its;
    spent += ms;
  }
  expect(made).toBeLessThan(8_000);
  expect(spent).toBeLessThan(20_000);

  const connections = seen.connections;
  const [answered, ms] = await measured();
  expect(answered).toMatchObject(tooCostly);
  expect(ms).toBeLessThan(10);
  expect(seen.connections).toBe(connections);
  expect((await measured('acct_2'))[0]).toMatchObject({ status: 200 });

  await clock.advance(59_999);
  expect((await measured())[0]).toMatchObject(tooCostly);
  await clock.advance(1);
  expect((await measured())[0]).toMatchObject({ status: 200 });
});

test('of bodies that do not end only the beginnings are held', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const buffers = (): number => (gc(), process.memoryUsage().arrayBuffers);
  const { post } = await open({ begin: `${OK}content-length: 65536\r\n\r\n`, end: 'x'.repeat(60_000) });
  const before = buffers();
  for (let n = 0; n < 500; n += 1) void post();
  // Until they have been read in their turns.
  for (let n = 0; n < 20 && (n < 4 || buffers() - before > 500 * 10_000); n += 1) await sleep(1_000);
  expect((buffers() - before) / 500).toBeLessThan(10_000);
});

test('answers of 64 KiB are read however many there are', async () => {
  const { post } = await open({ begin: `${OK}content-length: 65536\r\n\r\n`, end: 'x'.repeat(65_536) });
  for (let n = 0; n < 5_000; n += 1) if ((await post()).status !== 200) throw new Error(`${n} were read`);
});
