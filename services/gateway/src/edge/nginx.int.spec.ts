import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import { memoryLimiter } from '../limiter/counters.ts';
import { type GatewayApp, startGatewayApp } from '../testing/gateway-app.ts';
import { httpAnswer, RawUpstream } from '../testing/raw-upstream.ts';

const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx'].find(existsSync);
const EXAMPLE = join(import.meta.dirname, '../../../../deploy/edge/nginx.conf');
const EACH = 500;
const AT_ONCE = 20;

// Skipped where nginx is not installed (Debian: nginx-light): the documented file needs the program that reads it.
const withNginx = NGINX ? test : test.skip;

const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
const engine = Engine.open(join(folder, 'data'), { durable: false });
let nginx: ChildProcess | undefined;
let gateways: GatewayApp[] = [];
let service: RawUpstream;
let origin: string;

beforeEach(async () => {
  service = await RawUpstream.start((socket: Socket) => setTimeout(() => socket.write(httpAnswer('200 OK', '{"object":"customer"}')), 5));
  const documents = embeddedDocumentStore(engine, 'svc_gateway');
  const options = { documents, limiter: memoryLimiter(clock), invoicing: [service.origin] };
  gateways = [await startGatewayApp(options), await startGatewayApp(options)];
  if (NGINX)
    origin = await start(
      NGINX,
      gateways.map(({ port }) => port),
    );
});
afterEach(async () => {
  nginx?.kill('SIGKILL');
  for (const { app } of gateways) await app.close();
  await service.stop();
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** nginx with the documented file, by http and before these ports. */
async function start(program: string, ports: number[]): Promise<string> {
  const port = await freePort();
  const site = readFileSync(EXAMPLE, 'utf8')
    .replace(/gateway-(\d):3000/g, (_, n: string) => `127.0.0.1:${ports[Number(n) - 1]}`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*$/gm, '');
  const [main, temp] = [join(folder, 'nginx.conf'), ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']];
  const paths = temp.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n');
  const head = `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};\nevents {}\n`;
  writeFileSync(main, `${head}http { access_log off;\n${paths}\n${site}\n}\n`);
  nginx = spawn(program, ['-p', folder, '-e', join(folder, 'error.log'), '-c', main], { stdio: 'ignore' });
  while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 50));
  return `http://127.0.0.1:${port}`;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** As `kill -9` looks from outside: connections break, new ones are refused. */
function kill({ app }: GatewayApp): void {
  const server = app.getHttpServer() as { close(): void; closeAllConnections(): void };
  server.close();
  server.closeAllConnections();
}

const customer = (n: number) => JSON.stringify({ name: `Customer ${n}` });

withNginx('a gateway that is killed costs no read and no write with a key, and no write is done twice', async () => {
  const { testKey } = await (gateways[0] as GatewayApp).account();
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
  const statuses: Record<string, number> = {};
  let sent = 0;
  const one = async (n: number): Promise<void> => {
    if (sent++ === EACH) kill(gateways[0] as GatewayApp);
    const options = n % 2 ? { headers } : { method: 'POST', headers: { ...headers, 'idempotency-key': `key-${n}` }, body: customer(n) };
    let { status } = await fetch(`${origin}/v1/customers`, options);
    // The first request still runs in the gateway that the edge has lost: its answer asks to repeat it.
    for (; status === 409; { status } = await fetch(`${origin}/v1/customers`, options))
      await new Promise((resolve) => setTimeout(resolve, 100));
    const name = `${n % 2 ? 'GET' : 'POST'} ${status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
  };
  const queue = Array.from({ length: 2 * EACH }, (_, n) => n);
  const work = async (): Promise<void> => {
    for (let n = queue.shift(); n !== undefined; n = queue.shift()) await one(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(statuses).toEqual({ 'GET 200': EACH, 'POST 200': EACH });
  // The service runs a command once, however often it arrives.
  const commands = service.commands();
  const written = service.requests.flatMap((request, n) => (request.startsWith('POST') ? [commands[n]] : []));
  expect(new Set(written).size).toBe(EACH);
});

withNginx.each(['POST', 'PATCH', 'DELETE'])('a %s without a key is sent once, though its connection breaks', async (method) => {
  let arrived = 0;
  const breaking = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      arrived += 1;
      socket.resetAndDestroy();
    });
  });
  await new Promise<void>((listening) => breaking.listen(0, '127.0.0.1', listening));
  const { port } = breaking.address() as AddressInfo;
  nginx?.kill('SIGKILL');
  origin = await startAt([port, port]);
  const body = method === 'DELETE' ? null : customer(1);
  expect((await fetch(`${origin}/v1/customers/cust_1`, { method, body })).status).toBe(502);
  expect(arrived).toBe(1);
  const keyed = { method: 'POST', body: customer(1), headers: { 'idempotency-key': 'one' } };
  await fetch(`${origin}/v1/customers`, keyed);
  expect(arrived).toBeGreaterThan(2);
  breaking.close();
});

withNginx.each([
  ['POST', '/v1/customers'],
  ['PATCH', `/v1/customers/cust_${'0'.repeat(26)}`],
])('a %s without a key goes to the next gateway where one refuses the connection', async (method, path) => {
  const { testKey } = await (gateways[1] as GatewayApp).account();
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
  kill(gateways[0] as GatewayApp);
  for (let n = 0; n < 4; n += 1) expect((await fetch(`${origin}${path}`, { method, headers, body: customer(n) })).status).toBe(200);
});

withNginx('a body far beyond what the product takes is refused before it is stored', async () => {
  const body = 'x'.repeat(9 * 1_048_576);
  expect((await fetch(`${origin}/v1/customers`, { method: 'POST', body })).status).toBe(413);
});

const startAt = (ports: number[]): Promise<string> => start(NGINX ?? '', ports);
