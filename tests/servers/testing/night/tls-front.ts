import { readFileSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@svc/testkit';

export type CertificateName = 'valid' | 'expired';

/** A server on TLS before the simulator, whose certificate can be another from one connection to the next. */
export interface TlsFront {
  url: string;
  /** With which a process calls it and trusts its certificates as far as they are valid. */
  env: Record<string, string>;
  /** Closes all connections: the next ones get this certificate. */
  use(name: CertificateName): void;
  stop(): Promise<void>;
}

const pem = (name: CertificateName): string =>
  readFileSync(join(root, 'services/fiscal-submission/fixtures', `test-only-${name}.pem`), 'utf8');
const certificateOf = (name: CertificateName): { key: string; cert: string } => ({ key: pem(name), cert: pem(name) });

export async function startTlsFront(target: string): Promise<TlsFront> {
  const server = createServer(certificateOf('valid'), (request, response) => {
    const { method, url = '/', headers } = request;
    const onward = forward(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'svc-authority-'));
  const trusted = join(folder, 'trusted.pem');
  writeFileSync(trusted, pem('valid') + pem('expired'));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: { SIMULATOR_URL: url, NODE_EXTRA_CA_CERTS: trusted },
    use(name) {
      server.setSecureContext(certificateOf(name));
      server.closeAllConnections();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
