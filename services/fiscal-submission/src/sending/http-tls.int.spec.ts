import { createServer, type Server, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@svc/kernel';
import { ClientRefused, NotSent, type Tls, outgoingHttp } from './http.ts';
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

/** Answers with the name in the certificate of whoever calls. */
async function serve(options: ServerOptions): Promise<string> {
  const one = createServer({ key: keyOf(server), cert: server.pem, ...options }, ({ socket }, response) => {
    response.end((socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody');
  }).listen(0, 'localhost');
  servers.push(one);
  await new Promise((resolve) => one.once('listening', resolve));
  return `https://localhost:${(one.address() as AddressInfo).port}/`;
}

const call = (url: string, tls: Tls) => http({ method: 'POST', url, headers: {}, body: 'x', tls, deadlineMs: 5_000 });

test('a server is accepted whose certificate one of the anchors has issued, and no other', async () => {
  const url = await serve({});
  expect((await call(url, { anchors: [ours.pem] })).body.toString()).toBe('nobody');
  await expect(call(url, { anchors: [others.pem] })).rejects.toThrow(NotSent);
});

test('each client shows its own certificate', async () => {
  const url = await serve({ requestCert: true, ca: [ours.pem] });
  const as = (one: typeof ours) => ({ anchors: [ours.pem], client: { key: keyOf(one), certificate: one.pem } });
  expect((await call(url, as(client))).body.toString()).toBe('Issuer');
  expect((await call(url, { anchors: [ours.pem] }).catch((error: unknown) => error)) instanceof NotSent).toBe(false);
  await expect(call(url, as(stranger))).rejects.toThrow();
});

test('a server that refuses the client’s certificate is known by its alert; without one that is shown the server is the cause', async () => {
  // A record of TLS: a fatal alert, certificate_revoked.
  const refusing = createTcpServer((socket) => socket.once('data', () => socket.end(Buffer.from('1503030002022c', 'hex'))));
  refusing.listen(0, 'localhost');
  await new Promise((resolve) => refusing.once('listening', resolve));
  const url = `https://localhost:${(refusing.address() as AddressInfo).port}/`;
  const shown = { anchors: [ours.pem], client: { key: keyOf(client), certificate: client.pem } };
  await expect(call(url, shown)).rejects.toThrow(ClientRefused);
  await expect(call(url, { anchors: [ours.pem] })).rejects.not.toThrow(ClientRefused);
  refusing.close();
});
