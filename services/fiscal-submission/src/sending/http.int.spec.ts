import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@svc/kernel';
import { NotSent, outgoingHttp } from './http.ts';

let server: Server;
let origin: string;
let answer: (body: string) => { status: number; body: string } | 'silence' | 'hang up';
const { http, close } = outgoingHttp(systemClock);

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const said = answer(body);
      if (said === 'hang up') response.destroy();
      else if (said !== 'silence') response.writeHead(said.status, { 'x-signature': 's' }).end(said.body);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await close();
  server.closeAllConnections();
  server.close();
});

const post = (over: { url?: string; deadlineMs?: number; mostBytes?: number } = {}) =>
  http({
    method: 'POST',
    url: `${origin}/path?q=1`,
    headers: { 'content-type': 'application/json' },
    body: 'ë',
    deadlineMs: 5_000,
    ...over,
  });

test('returns status, headers and the exact bytes', async () => {
  answer = (body) => ({ status: 422, body: `got ${body}` });
  const response = await post();
  expect([response.status, response.headers['x-signature'], response.body.toString()]).toEqual([422, 's', 'got ë']);
});

test('throws NotSent when the connection is refused', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  await expect(post({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow(NotSent);
  await expect(post({ url: 'http://no-such-host.invalid/' })).rejects.toThrow(NotSent);
});

test('throws another error for a broken connection and after the deadline', async () => {
  answer = () => 'hang up';
  await expect(post()).rejects.not.toThrow(NotSent);
  answer = () => 'silence';
  await expect(post({ deadlineMs: 50 })).rejects.toThrow('50 ms');
});

test('reads 4 MiB of an answer, or as much as the request takes', async () => {
  const body = 'x'.repeat(5 * 1024 * 1024);
  answer = () => ({ status: 200, body });
  await expect(post()).rejects.toThrow('more than 4194304 bytes');
  expect((await post({ mostBytes: 6 * 1024 * 1024 })).body).toHaveLength(body.length);
});
