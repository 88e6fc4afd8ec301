import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Clock } from '@svc/kernel';
import type { Tls } from './tls.ts';

/** OpenSSL's codes for alerts of a server about the client's certificate (RFC 5246, 7.2.2; RFC 8446, 6.2). */
const ALERTS = /^ERR_SSL_.*ALERT_(.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;
const WITHIN_MS = 3_000;

export const isAboutClient = (code: string): boolean => ALERTS.test(code);

/**
 * The code with which a server refuses the certificate of a client; undefined: it does not, or does not say so within `withinMs`, of which 3 s are used. In TLS 1.3 it does so after the
 * client has begun to send, which closes the connection and loses the code: here nothing is sent, so that it comes.
 */
export function clientRefusal(
  origin: string,
  { anchors, client }: Tls,
  clock: Pick<Clock, 'after'>,
  withinMs = WITHIN_MS,
): Promise<string | undefined> {
  if (withinMs <= 0) return Promise.resolve(undefined);
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      ...{ host, port: Number(port || 443), servername: isIP(host) ? '' : host },
      ...(anchors && { ca: [...anchors] }),
      ...(client && { key: client.key, cert: client.certificate }),
    });
    const end = (code: string | undefined): void => {
      cancel();
      socket.destroy();
      resolve(code);
    };
    const cancel = clock.after(Math.min(WITHIN_MS, withinMs), () => end(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => end(isAboutClient(error.code ?? '') ? error.code : undefined));
    socket.once('close', () => end(undefined));
    // A ticket for the session is sent to a client that is accepted.
    socket.once('session', () => end(undefined));
  });
}
