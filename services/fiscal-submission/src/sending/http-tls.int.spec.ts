import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { ClientRefused, NotSent, type Tls, outgoingHttp } from './http.ts';
import { clientRefusal } from './refuses-client.ts';
import { certified } from '../xml/testing/certificates.ts';

const ours = certified({ name: 'Test authority', isAuthority: true });
const others = certified({ name: 'Other authority', isAuthority: true });
const keyOf = ({ key }: typeof ours): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const server = certified({ name: 'localhost', host: 'localhost' }, ours);
const [client, stranger] = [certified({ name: 'Issuer' }, ours), certified({ name: 'Stranger' }, others)];

const { http, close } = outgoingHttp(systemClock);
const servers: Server[] = [];
afterAll(async () => {
  await close();
  for (const one of servers) {
    one.closeAllConnections();
    one.close();
  }
});

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, 'localhost', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });

/** Answers with the name in the certificate of whoever calls. */
async function serve(options: ServerOptions): Promise<string> {
  const one = createServer({ key: keyOf(server), cert: server.pem, ...options }, ({ socket }, response) => {
    response.end((socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody');
  }).listen(0, 'localhost');
  servers.push(one);
  await new Promise((resolve) => one.once('listening', resolve));
  return `https://localhost:${(one.address() as AddressInfo).port}/`;
}

async function freePort(): Promise<number> {
  const one = createTcpServer().listen(0, 'localhost');
  await once(one, 'listening');
  const { port } = one.address() as AddressInfo;
  one.close();
  return port;
}

const call = (url: string, tls: Tls) => http({ method: 'POST', url, headers: {}, body: 'x', tls, deadlineMs: 5_000 });

test('an answer has the certificate that its server has shown, on a connection that is kept too', async () => {
  const url = await serve({});
  const { raw, validFrom, validTo } = new X509Certificate(server.pem);
  const shown = {
    ...{ subject: 'CN=localhost', issuer: 'CN=Test authority', sha256: createHash('sha256').update(raw).digest('hex') },
    ...{ valid_from: new Date(validFrom).toISOString(), valid_to: new Date(validTo).toISOString() },
  };
  for (let n = 0; n < 3; n += 1) expect((await call(url, { anchors: [ours.pem] })).peer).toEqual(shown);
});

test('a server is accepted whose certificate one of the anchors has issued, and no other', async () => {
  const url = await serve({});
  expect((await call(url, { anchors: [ours.pem] })).body.toString()).toBe('nobody');
  await expect(call(url, { anchors: [others.pem] })).rejects.toThrow(NotSent);
});

test('each client shows its own certificate', async () => {
  const url = await serve({ requestCert: true, ca: [ours.pem] });
  const as = (one: typeof ours) => ({ anchors: [ours.pem], client: { account: 'a', key: keyOf(one), certificate: one.pem } });
  expect((await call(url, as(client))).body.toString()).toBe('Issuer');
  expect((await call(url, { anchors: [ours.pem] }).catch((error: unknown) => error)) instanceof NotSent).toBe(false);
  await expect(call(url, as(stranger))).rejects.toThrow();
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a server of %s that refuses the client’s certificate is known, whatever is sent',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'refusing-'));
    const files = { 'key.pem': keyOf(server), 'cert.pem': server.pem, 'ca.pem': ours.pem };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const port = await freePort();
    const options = ['-key', 'key.pem', '-cert', 'cert.pem', '-CAfile', 'ca.pem', '-Verify', '3', '-verify_return_error', '-www'];
    const serving = spawn(
      'openssl',
      ['s_server', '-accept', String(port), `-${version.replace('v', '').replace('.', '_').toLowerCase()}`, ...options],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    await once(serving.stdout, 'data');
    await until(() => listens(port)); // it says so before it does
    const as = (one: typeof ours) => ({ anchors: [ours.pem], client: { account: 'a', key: keyOf(one), certificate: one.pem } });
    const long = { method: 'POST', url: `https://localhost:${port}/`, headers: {}, body: 'x'.repeat(300_000), deadlineMs: 5_000 } as const;
    for (let n = 0; n < 3; n += 1) await expect(http({ ...long, tls: as(stranger) })).rejects.toThrow(ClientRefused);
    expect(await clientRefusal(`https://localhost:${port}`, as(client), systemClock)).toBeUndefined();
    serving.kill();
    rmSync(folder, { recursive: true });
  },
);

test('a server that closes a connection whose certificate it has accepted is in doubt', async () => {
  const url = await serve({ requestCert: true, ca: [ours.pem] });
  servers.at(-1)?.on('request', ({ socket }) => socket.destroy());
  const of = call(url, { anchors: [ours.pem], client: { account: 'a', key: keyOf(client), certificate: client.pem } });
  expect((await of.catch((error: unknown) => error)) instanceof NotSent).toBe(false);
});

test('a server that refuses the client’s certificate is known by its alert; without one that is shown the server is the cause', async () => {
  // A record of TLS: a fatal alert, certificate_revoked.
  const refusing = createTcpServer((socket) => socket.once('data', () => socket.end(Buffer.from('1503030002022c', 'hex'))));
  refusing.listen(0, 'localhost');
  await new Promise((resolve) => refusing.once('listening', resolve));
  const url = `https://localhost:${(refusing.address() as AddressInfo).port}/`;
  const shown = { anchors: [ours.pem], client: { account: 'a', key: keyOf(client), certificate: client.pem } };
  await expect(call(url, shown)).rejects.toThrow(ClientRefused);
  await expect(call(url, { anchors: [ours.pem] })).rejects.not.toThrow(ClientRefused);
  refusing.close();
});

test('asking whether the certificate was refused takes no longer than the call may', async () => {
  const sockets: Socket[] = [];
  const silent = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    if (sockets.length === 1) setTimeout(() => socket.destroy(), 300);
  }).listen(0, 'localhost');
  await once(silent, 'listening');
  const url = `https://localhost:${(silent.address() as AddressInfo).port}/`;
  const tls = { anchors: [ours.pem], client: { account: 'a', key: keyOf(client), certificate: client.pem } };
  const startedAt = systemClock.now();
  await expect(http({ method: 'POST', url, headers: {}, body: 'x', tls, deadlineMs: 500 })).rejects.toThrow();
  expect(systemClock.now() - startedAt).toBeLessThan(2_500);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
